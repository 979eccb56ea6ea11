# The gateway as an image: its production packages, what `npm pack` publishes of it, and nothing else.
# The digest is that of the official image's index in docker-library/repo-info, which covers all platforms. Update both
# together, or set NODE_IMAGE to an image of your own.
ARG NODE_IMAGE=docker.io/library/node:24.19.0-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f

FROM ${NODE_IMAGE} AS packages
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY conformance/package.json conformance/
COPY contract/package.json contract/
COPY gateway/package.json gateway/

FROM packages AS production
RUN npm install --no-save --omit=dev --ignore-scripts --workspace payments-gateway

FROM packages AS build
RUN npm install --no-save --ignore-scripts
COPY . .
# Of the clone, which the context leaves out: --build-arg REVISION=$(git rev-parse --short=12 HEAD)
ARG REVISION=
RUN PAYMENTS_REVISION="$REVISION" node scripts/run.mjs package gateway --no-pack

FROM ${NODE_IMAGE}
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data \
 && ln --symbolic /app/gateway/dist/payments-gateway.js /usr/local/bin/payments-gateway
# All of it, since npm puts some packages into gateway/node_modules.
COPY --from=production /src /app
COPY --from=build /src/gateway/dist /app/gateway/dist
# The root file system may be read-only: SQLite's temporary files are in /data, and so is the database, whose default
# path is data/payments.db. DATABASE_FILE isn't set, so that DATABASE_URL alone selects PostgreSQL. HOST is every interface,
# so there is no sandbox unless SANDBOX and SANDBOX_KEY ask for one.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    SANDBOX=false \
    SQLITE_TMPDIR=/data
WORKDIR /
USER 1000:1000
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["payments-gateway"]
CMD ["start"]
