import { n as kindOf, o as statusRanks, s as webhookStatuses } from "./transactions-DBNGJEvm.js";
//#region src/webhooks/errors.ts
/** Why an event is refused, and what to do about it. */
/** The codes of WebhookError with what to do. */
const ADVICE = {
	BODY_NOT_RAW: "Pass the bytes or the text as they arrived: a parsed body cannot be verified. See the recipe for your framework.",
	HEADER_MISSING: "Check that the request comes from the service and that no proxy drops headers; `header` and `scheme` set other names.",
	TIMESTAMP_INVALID: "It must be whole seconds since 1970; `scheme` says which header it is in.",
	TIMESTAMP_STALE: "Check the clock of this machine; if it is right, this is a replay or a very late delivery. `toleranceSeconds` allows more.",
	SECRET_INVALID: "Copy the whole signing secret, such as whsec_…; it is not the API key.",
	NO_MATCH: "Check that the secret is the one of this merchant, and that nothing has changed the body before.",
	BODY_NOT_JSON: "The signature is right, so this comes from the service; check the scheme and tell its support.",
	UNKNOWN_EVENT: "The signature is right; answer 2xx to ignore it, or update this package."
};
/** Thrown by `verifyWebhook`. Answer 400, and do nothing with the body. */
var WebhookError = class extends Error {
	name = "WebhookError";
	code;
	constructor(code, what) {
		super(`${what}. ${ADVICE[code]}`);
		this.code = code;
	}
};
//#endregion
//#region src/webhooks/order.ts
/**
* Events arrive at least once and in no promised order. This tells which of them say something new.
* Every move leads to a higher rank, so what is known of a transaction is the events that were taken, with their status.
*/
/** Attempts to write before giving up; each failure means that another process was quicker. */
const WRITES_MAX = 10;
/** The verdict and what to keep afterwards. It is pure, for use within a transaction of your own database. */
function judgeEvent(seen, { id, kind, status }) {
	const known = seen ?? {};
	const rank = (of) => statusRanks[kind][of] ?? -1;
	const statuses = Object.values(known);
	if (Object.hasOwn(known, id) || statuses.includes(status)) return {
		verdict: "duplicate",
		seen: known
	};
	return {
		verdict: statuses.some((other) => rank(other) >= rank(status)) ? "older" : "new",
		seen: {
			...known,
			[id]: status
		}
	};
}
/** A tracker over a store, which is the memory of this process by default. */
function createEventTracker({ store = memoryEventStore() } = {}) {
	async function change(event, next) {
		const key = `${event.kind}.${event.data.transaction_id}`;
		for (let attempt = 0; attempt < WRITES_MAX; attempt++) {
			const before = await store.read(key);
			const { seen, result } = next(before);
			if (seen === before || await store.write(key, seen, before)) return result;
		}
		throw new Error(`the event store refused ${WRITES_MAX} writes for ${key}`);
	}
	const see = (event) => change(event, (before) => {
		const { verdict, seen } = judgeEvent(before, event);
		return {
			seen,
			result: verdict
		};
	});
	const forget = (event) => change(event, (before) => {
		const { [event.id]: _, ...seen } = before ?? {};
		return {
			seen,
			result: void 0
		};
	});
	return {
		see,
		forget,
		async handle(event, handler) {
			const verdict = await see(event);
			if (verdict !== "new") return verdict;
			try {
				await handler();
			} catch (error) {
				await forget(event);
				throw error;
			}
			return verdict;
		}
	};
}
/** Keeps the last transactions in memory, 10,000 by default. A restart forgets them, so it suits one process and tests. */
function memoryEventStore({ max = 1e4 } = {}) {
	const kept = /* @__PURE__ */ new Map();
	return {
		read: (key) => kept.get(key),
		write(key, seen, before) {
			if (kept.get(key) !== before) return false;
			kept.delete(key);
			kept.set(key, seen);
			for (const oldest of kept.keys()) {
				if (kept.size <= max) break;
				kept.delete(oldest);
			}
			return true;
		}
	};
}
//#endregion
//#region ../generated/webhook-headers.ts
/** Headers of a webhook by what they carry; all of `signatures` carry the same value. */
const webhookHeaders = {
	"id": "webhook-id",
	"timestamp": "webhook-timestamp",
	"signatures": ["X-Gateway-Signature", "webhook-signature"]
};
//#endregion
//#region src/webhooks/scheme.ts
/** How events are signed: Standard Webhooks by default, and every part can be set, since the source leaves it open. */
const STANDARD = {
	signatureHeaders: webhookHeaders.signatures,
	idHeader: webhookHeaders.id,
	timestampHeader: webhookHeaders.timestamp,
	content: "id.timestamp.body",
	hash: "SHA-256",
	encoding: "base64",
	prefix: "v1,",
	secret: "base64"
};
const SECRET_PREFIX = /^whsec_/;
/** The scheme with what the caller has set. */
function schemeOf({ header, scheme }) {
	return {
		...STANDARD,
		...scheme,
		...header && { signatureHeaders: [header] }
	};
}
/** What is signed: the parts before the body, each with a dot after it, and the body. */
function signedContent({ content }, parts, body) {
	const names = content.split(".").slice(0, -1);
	const head = new TextEncoder().encode(names.map((name) => `${parts[name]}.`).join(""));
	const all = new Uint8Array(head.length + body.length);
	all.set(head);
	all.set(body, head.length);
	return all;
}
/** The keys of the secrets. Throws SECRET_INVALID for one that is none. */
function importKeys({ secret, hash }, given) {
	const secrets = [given].flat();
	if (secrets.length === 0) throw new WebhookError("SECRET_INVALID", "There is no secret");
	return Promise.all(secrets.map((text) => {
		const bytes = secret === "text" ? new TextEncoder().encode(text) : fromBase64(`${text}`.replace(SECRET_PREFIX, ""));
		if (!text || !bytes?.length) throw new WebhookError("SECRET_INVALID", "The secret is empty or no base64");
		return crypto.subtle.importKey("raw", bytes, {
			name: "HMAC",
			hash
		}, false, ["sign", "verify"]);
	}));
}
/** A signature as it stands in the header. */
function encodeSignature({ encoding, prefix }, signature) {
	const bytes = [...new Uint8Array(signature)];
	return prefix + (encoding === "hex" ? bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("") : btoa(String.fromCharCode(...bytes)));
}
/** The signatures of a header's value that are of this scheme. */
function decodeSignatures({ encoding, prefix }, value) {
	return value.split(/,?\s+/).flatMap((text) => {
		if (!text.startsWith(prefix)) return [];
		const encoded = text.slice(prefix.length);
		return (encoding === "hex" ? fromHex(encoded) : fromBase64(encoded)) ?? [];
	});
}
function fromBase64(text) {
	try {
		return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	} catch {
		return;
	}
}
function fromHex(text) {
	return Uint8Array.from(text.match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}
//#endregion
//#region src/webhooks/sign.ts
/** Signs an event as the service would, with each of the secrets. */
async function signWebhook(options) {
	const { body: given, id = `evt_${crypto.randomUUID()}`, sentAt = Date.now() } = options;
	const scheme = schemeOf(options);
	const body = typeof given === "string" ? given : JSON.stringify(given);
	const timestamp = String(Math.floor(Number(sentAt) / 1e3));
	const content = signedContent(scheme, {
		id,
		timestamp
	}, new TextEncoder().encode(body));
	const keys = await importKeys(scheme, options.secret);
	const value = (await Promise.all(keys.map((key) => crypto.subtle.sign("HMAC", key, content)))).map((signature) => encodeSignature(scheme, signature)).join(" ");
	return {
		body,
		headers: {
			"content-type": "application/json",
			[scheme.idHeader]: id,
			[scheme.timestampHeader]: timestamp,
			...Object.fromEntries(scheme.signatureHeaders.map((name) => [name, value]))
		}
	};
}
//#endregion
//#region src/webhooks/event.ts
/** Events with their types. A body names no event: kind and status tell it. */
/** Reads a body whose signature has been verified. An event without an id of its own gets one from what it tells. */
function readEvent(body, id, sentAt) {
	const data = parse(body);
	const { status, transaction_id: transaction } = data;
	const kind = kindOf(data);
	if (typeof transaction !== "string" || !webhookStatuses[kind].includes(status)) throw new WebhookError("UNKNOWN_EVENT", `The body is no event that this version knows: a ${kind} in status ${status}`);
	return {
		kind,
		status,
		id: id ?? `${transaction}.${status}`,
		sentAt,
		data
	};
}
function parse(body) {
	try {
		return Object(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
	} catch (error) {
		throw new WebhookError("BODY_NOT_JSON", `The body is no JSON: ${error.message}`);
	}
}
//#endregion
//#region src/webhooks/headers.ts
/** The values of a header, empty when it is not there. */
function valuesOf(headers, name) {
	if (typeof headers.get === "function") return [headers.get(name) ?? []].flat();
	const wanted = name.toLowerCase();
	return Object.entries(headers).flatMap(([key, value]) => key.toLowerCase() === wanted && value !== void 0 ? [value].flat() : []);
}
//#endregion
//#region src/webhooks/verify.ts
/** Verification of an event before anything in it is used. */
const TOLERANCE_SECONDS = 300;
/** Rotation needs two; more than these are not looked at. */
const SIGNATURES_MAX = 8;
/** Verifies an event and returns it. Rejects with a WebhookError whose `code` says what is wrong. */
async function verifyWebhook(options) {
	const scheme = schemeOf(options);
	const body = bytesOf(options.body);
	const id = scheme.content.startsWith("id") ? headerOf(options, [scheme.idHeader]) : void 0;
	const timestamp = scheme.content === "body" ? void 0 : headerOf(options, [scheme.timestampHeader]);
	const signature = headerOf(options, scheme.signatureHeaders);
	const sentAt = timestamp === void 0 ? void 0 : checkTime(timestamp, options);
	const parts = {
		...id && { id },
		...timestamp && { timestamp }
	};
	if (!await matches(scheme, options.secret, signature, signedContent(scheme, parts, body))) throw new WebhookError("NO_MATCH", "No signature matches the body and the secret");
	return readEvent(body, id, sentAt);
}
async function matches(scheme, secret, header, content) {
	const keys = await importKeys(scheme, secret);
	const signatures = decodeSignatures(scheme, header).slice(0, SIGNATURES_MAX);
	const pairs = keys.flatMap((key) => signatures.map((signature) => [key, signature]));
	return (await Promise.all(pairs.map(([key, signature]) => crypto.subtle.verify("HMAC", key, signature, content)))).includes(true);
}
function bytesOf(body) {
	if (typeof body === "string") return new TextEncoder().encode(body);
	if (body instanceof ArrayBuffer) return new Uint8Array(body);
	if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
	throw new WebhookError("BODY_NOT_RAW", `The body is ${body === null ? "null" : typeof body === "object" ? "an object" : typeof body}, and not the text or bytes that were signed`);
}
function headerOf({ headers }, names) {
	const value = names.map((name) => valuesOf(headers, name).join(" ")).find(Boolean);
	if (value === void 0) throw new WebhookError("HEADER_MISSING", `The request has no header ${names.join(" or ")}`);
	return value;
}
function checkTime(timestamp, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }) {
	if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError("TIMESTAMP_INVALID", `The timestamp is '${timestamp}'`);
	const seconds = Number(timestamp);
	const age = Math.round(now() / 1e3) - seconds;
	if (Math.abs(age) > toleranceSeconds) throw new WebhookError("TIMESTAMP_STALE", `The timestamp is ${`${Math.abs(age)} s ${age > 0 ? "old" : "ahead"}`}, and ${toleranceSeconds} s are allowed`);
	return /* @__PURE__ */ new Date(seconds * 1e3);
}
//#endregion
export { WebhookError, createEventTracker, judgeEvent, memoryEventStore, signWebhook, verifyWebhook };
