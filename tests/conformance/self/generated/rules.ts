/** Builds defects in rules: a running model of each transaction, and hooks that tell its story differently. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../contract/src/model.ts';
import {
  type Alteration,
  type Backend,
  type Incoming,
  type Later,
  type Outgoing,
  toObject,
  type Webhook,
} from '../alteration.ts';
import { type Mutant, type Note, placeOfResponse, placeOfWebhook } from './mutant.ts';
import type { Shown } from './places.ts';
import { replace, Stories, type Story } from './story.ts';

/** Longer than the kit waits for anything by default. */
export const LATE_MS = 30_000;
/** Delay of reads behind earlier responses and webhooks. */
export const LAG_MS = 2_000;

/** A body that shows a transaction, on its way to the kit. */
export interface Telling {
  readonly body: JsonObject;
  readonly place: Shown;
  readonly story: Story;
  readonly stories: Stories;
}

/** Hooks of a rule, in the order in which they run. Each calls `note` if it has changed anything. */
export interface Hooks {
  readonly request?: (request: Incoming, backend: Backend) => Later<Outgoing | undefined>;
  /** Responses that show a transaction. */
  readonly told?: (telling: Telling) => void;
  readonly response?: (response: Outgoing, request: Incoming, backend: Backend) => Later<void>;
  /** Webhooks to deliver instead; undefined delivers this one. */
  readonly webhook?: (webhook: Webhook, telling: Telling) => readonly Webhook[] | undefined;
}

/** One fault of a rule. Each trial gets new hooks. */
export function ruleMutant(rule: string, fault: string, hooks: (note: Note) => Hooks): Mutant {
  return {
    id: `rule/${rule.replaceAll(' ', '/')}/${fault}`,
    fault: `${rule.split(' ')[0]} ${fault}`,
    rule: { fault },
    alter: ({ library }, note) => createAlteration(new Stories(library), hooks(note)),
  };
}

function createAlteration(stories: Stories, hooks: Hooks): Alteration {
  const telling = (place: Shown, body: JsonObject): Telling => ({
    ...{ body, place, stories },
    story: stories.tell(place, body),
  });
  return {
    request: (request, backend) => hooks.request?.(request, backend),
    async response(response, request, backend) {
      const place = placeOfResponse(request.operation, response.status, response.body);
      if (place?.kind) hooks.told?.(telling(place, toObject(response.body)));
      await hooks.response?.(response, request, backend);
    },
    webhook(webhook) {
      const place = placeOfWebhook(webhook.body);
      return place && hooks.webhook?.(webhook, telling(place, webhook.body));
    },
  };
}

/** Whether the place is a read, which repeats other responses. */
export function isRead({ on }: Shown): boolean {
  return /^(get|find)/.test(on);
}

/** Shows the transaction in another status, if the place ever shows that. */
export function showAs(status: string | null | undefined, { body, place, story, stories }: Telling, note: Note): void {
  if (status === null || status === undefined || status === body['status']) return;
  const other = stories.as(status, place, story);
  if (!other) return;
  replace(body, other);
  note();
}

/** A second event with the same body. */
export function twice(webhook: Webhook, note: Note): readonly Webhook[] {
  note();
  return [webhook, { ...webhook, id: `msg_${randomUUID()}` }];
}
