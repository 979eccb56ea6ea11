import { a as creationPaths, i as paymentMethodOf, n as kindOf, r as needsAction, t as isFinal } from "./transactions-DBNGJEvm.js";
import createClient, { mergeHeaders } from "openapi-fetch";
//#region ../generated/client.ts
/** Creates a client. `baseUrl` is where the service is; `headers` carry the credential, since the contract only assumes its kind. */
function createContractClient(options) {
	return createClient(options);
}
//#endregion
//#region src/clock.ts
/** setTimeout takes no longer delays than this. */
const DELAY_MS_MAX = 2 ** 31 - 1;
/** The machine's own time. */
const systemClock = {
	now: () => Date.now(),
	after(ms, run) {
		const timer = setTimeout(run, Math.min(ms, DELAY_MS_MAX));
		return () => clearTimeout(timer);
	}
};
/** Tells an end of time from an abort by the caller. */
const OUT_OF_TIME = Symbol("out of time");
/** Resolves after a pause. Rejects with the signal's reason as soon as it is aborted. */
function sleep(clock, ms, signal) {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const abort = () => {
			cancel();
			reject(signal?.reason);
		};
		const cancel = clock.after(ms, () => {
			signal?.removeEventListener("abort", abort);
			resolve();
		});
		signal?.addEventListener("abort", abort);
	});
}
/**
* Gives work a signal that ends with the caller's or when the time is up. Rejects with the caller's reason or with
* OUT_OF_TIME at that moment, whether the work listens or not. (AbortSignal.any is missing in the first versions of
* Node 20, and AbortSignal.timeout knows no other clock.)
*/
async function limit(clock, ms, signal, work) {
	if (signal?.aborted) throw signal.reason;
	const controller = new AbortController();
	let forward = () => {};
	const ended = new Promise((_, reject) => {
		controller.signal.addEventListener("abort", () => reject(controller.signal.reason));
		forward = () => controller.abort(signal?.reason);
	});
	signal?.addEventListener("abort", forward);
	const cancel = clock.after(ms, () => controller.abort(OUT_OF_TIME));
	try {
		return await Promise.race([work(controller.signal), ended]);
	} finally {
		cancel();
		signal?.removeEventListener("abort", forward);
	}
}
//#endregion
//#region src/errors.ts
/**
* Thrown when a call got no answer that can be used. Whether the service has acted is not known then:
* creations may simply be made again; before another clarify or confirm, read the payment.
*/
var CallError = class extends Error {
	name = "CallError";
	code;
	/** As in `POST /payments`. */
	call;
	/** How often it was tried. */
	attempts;
	constructor(code, call, attempts, what, cause) {
		super(`${call}: ${what} (attempts: ${attempts})`, { cause });
		this.code = code;
		this.call = call;
		this.attempts = attempts;
	}
};
/** The problem that an error answer holds. One that a proxy made, without a problem in it, becomes one by its status. */
function problemOf(body, response) {
	if (typeof body === "object" && body !== null && "title" in body) return body;
	const { status, statusText } = response;
	return {
		type: "about:blank",
		title: statusText || `HTTP ${status}`,
		status,
		detail: "The answer holds no problem; something before the service may have sent it."
	};
}
//#endregion
//#region src/retry.ts
/** Which calls are repeated, after what, and when. */
const RETRY_DEFAULTS = {
	attempts: 3,
	totalMs: 6e4,
	pauseMs: 500,
	pauseMsMax: 8e3,
	creations: true,
	random: Math.random
};
/** Answers that say "not now". */
const PASSING = [
	429,
	502,
	503,
	504
];
/** True for an answer after which the same call may succeed. */
function isPassing(status) {
	return PASSING.includes(status);
}
/**
* Reading changes nothing, and a creation with the same merchant_order_id moves no money twice. Everything else, such
* as clarify and confirm, is sent once: after a failure nobody knows whether it has been done.
*/
function mayRepeat(method, path, { creations }) {
	return method === "GET" || creations && method === "POST" && creationPaths.includes(path);
}
/** How long to wait after an attempt (1 is the first), at least as long as the answer asks for. */
function pauseAfter(attempt, answer, now, { pauseMs, pauseMsMax, random }) {
	const backoff = Math.min(pauseMs * 2 ** (attempt - 1), pauseMsMax) * (.5 + random() / 2);
	return Math.max(backoff, askedPause(answer?.headers.get("retry-after"), now));
}
/** Retry-After is a number of seconds or a date. */
function askedPause(value, now) {
	if (!value) return 0;
	return (/^\d+$/.test(value) ? Number(value) * 1e3 : Date.parse(value) - now) || 0;
}
//#endregion
//#region src/version.ts
/** The version that the user agent tells; a test keeps it equal to package.json. */
const VERSION = "1.0.0";
//#endregion
//#region src/client.ts
/**
* The client: openapi-fetch with authentication, time limits, retries and errors that are always problems.
* Retries go round the whole call, and not into a middleware or a fetch, because those do not see an answer that breaks
* off in its body; and a request that is made anew for each attempt needs no copy of its body.
*/
const TIMEOUT_MS = 3e4;
/**
* Creates a client: `client.GET('/payments/{transaction_id}', …)` answers `{ data }` or `{ error }`, a problem.
* A call rejects with a CallError when there was no usable answer, and with the signal's reason when it was aborted.
*/
function createPaymentsClient(options) {
	check(options);
	const client = createContractClient({
		baseUrl: options.baseUrl,
		...options.fetch && { fetch: options.fetch },
		headers: {
			...userAgent(options.userAgent),
			...options.apiKey && { authorization: `Bearer ${options.apiKey}` },
			...typeof options.auth === "object" && options.auth,
			...options.headers
		},
		redirect: "manual"
	});
	const call = withRetries(client.request, options);
	return {
		...client,
		request: call,
		GET: (path, init) => call("GET", path, init),
		POST: (path, init) => call("POST", path, init)
	};
}
function withRetries(send, options) {
	const { clock = systemClock, timeoutMs = TIMEOUT_MS } = options;
	const retry = {
		...RETRY_DEFAULTS,
		...options.retry
	};
	const attempt = createAttempt(send, options);
	return async (method, path, init = {}) => {
		const began = clock.now();
		const attempts = mayRepeat(method.toUpperCase(), path, retry) ? retry.attempts : 1;
		for (let number = 1;; number++) {
			const info = {
				method,
				path,
				attempt: number
			};
			const left = retry.totalMs - (clock.now() - began);
			const outcome = await attempt(info, init, attempts === 1 ? timeoutMs : Math.min(timeoutMs, left));
			const answer = outcome instanceof CallError ? void 0 : outcome.response;
			const passing = answer ? isPassing(answer.status) : outcome.code !== "INVALID_ANSWER";
			const pauseMs = pauseAfter(number, answer, clock.now(), retry);
			if (!passing || number >= attempts || clock.now() - began + pauseMs >= retry.totalMs) {
				if (outcome instanceof CallError) throw outcome;
				return outcome;
			}
			tell(options, {
				...info,
				type: "retry",
				pauseMs
			});
			await sleep(clock, pauseMs, init.signal ?? void 0);
		}
	};
}
/** Makes one attempt. It returns the failure of an attempt, and rejects only when the caller has aborted the call. */
function createAttempt(send, options) {
	const { clock = systemClock, auth } = options;
	const authenticate = typeof auth === "function" ? auth : void 0;
	async function sendWithin(info, init, signal) {
		const headers = authenticate && mergeHeaders(init.headers, await authenticate(info));
		const { data, error, response } = await send(info.method, info.path, {
			...init,
			...headers && { headers },
			signal
		});
		if (!response.ok) return {
			error: problemOf(error, response),
			response
		};
		if (data === void 0) throw new SyntaxError("the body is empty");
		return {
			data,
			response
		};
	}
	return async (info, init, ms) => {
		const began = clock.now();
		tell(options, {
			...info,
			type: "request"
		});
		try {
			const result = await limit(clock, ms, init.signal, (signal) => sendWithin(info, init, signal));
			const { status, headers } = result.response;
			const requestId = headers.get("x-request-id") ?? void 0;
			tell(options, {
				...info,
				type: "response",
				status,
				ms: clock.now() - began,
				requestId
			});
			return result;
		} catch (cause) {
			if (init.signal?.aborted) throw init.signal.reason;
			const error = failure(info, cause, ms);
			tell(options, {
				...info,
				type: "failure",
				error,
				ms: clock.now() - began
			});
			return error;
		}
	};
}
function failure({ method, path, attempt }, cause, ms) {
	const [code, what] = cause === OUT_OF_TIME ? ["TIMEOUT", `no answer within ${ms} ms`] : cause instanceof SyntaxError ? ["INVALID_ANSWER", `the answer is a success, but no JSON: ${cause.message}`] : ["NETWORK", `no answer: ${cause instanceof Error ? cause.message : cause}`];
	return new CallError(code, `${method} ${path}`, attempt, what, cause === OUT_OF_TIME ? void 0 : cause);
}
/** A log that fails must not turn a payment that was made into an error. */
function tell({ onEvent }, event) {
	try {
		onEvent?.(event);
	} catch {}
}
function check({ baseUrl, apiKey, auth }) {
	const base = globalThis.location?.href;
	if (!URL.canParse(baseUrl, base)) throw new TypeError(`baseUrl is '${baseUrl}'; give the address of the service`);
	if (!apiKey === !auth) throw new TypeError("give either apiKey or auth; is an environment variable not set?");
}
/** Browsers have a user agent of their own, and asking for another makes them ask the server first. */
function userAgent(own) {
	if ("document" in globalThis) return {};
	return { "user-agent": [own, `payments-client/${VERSION}`].filter(Boolean).join(" ") };
}
//#endregion
//#region src/declines.ts
/** What a decline means and what to do about it. */
const TABLES = {
	payment: {
		"CURRENCY_NOT_SUPPORTED": {
			"meaning": "Unsupported currency",
			"likely_cause": "The currency is not enabled for the method.",
			"suggested_action": "Check which currencies the method takes."
		},
		"METHOD_NOT_SUPPORTED": {
			"meaning": "Method unavailable",
			"likely_cause": "The selected method is not available.",
			"suggested_action": "Use another payment_method_type."
		},
		"INVALID_AMOUNT": {
			"meaning": "Invalid amount",
			"likely_cause": "The amount is too low, over a limit, or in the wrong format.",
			"suggested_action": "Verify that the amount is in minor units, without decimals."
		},
		"INVALID_ACCOUNT_DETAILS": {
			"meaning": "Invalid account data",
			"likely_cause": "The UPI ID, phone number or bank account is wrong.",
			"suggested_action": "Try again with corrected data."
		},
		"INVALID_CUSTOMER_DETAILS": {
			"meaning": "Invalid customer data",
			"likely_cause": "Required data of the customer is missing, such as KYC or e-mail.",
			"suggested_action": "Provide every detail of the customer that is mandatory."
		},
		"LIMIT_EXCEEDED": {
			"meaning": "Limit reached",
			"likely_cause": "The customer's daily or monthly limit is used up.",
			"suggested_action": "Split the transaction, or wait until the period starts anew."
		},
		"CHANNEL_DOWN": {
			"meaning": "Channel down",
			"likely_cause": "The provider cannot be reached for the moment.",
			"suggested_action": "Try again after 1 minute."
		},
		"CHANNEL_OVERLOADED": {
			"meaning": "Channel overloaded",
			"likely_cause": "The channel has too much load or too little liquidity.",
			"suggested_action": "Try again later."
		},
		"BANK_REJECTED": {
			"meaning": "Rejected by the bank",
			"likely_cause": "The issuing bank blocked the transaction.",
			"suggested_action": "Contact support; the customer may contact the bank."
		},
		"KYC_BLOCKED": {
			"meaning": "KYC failed",
			"likely_cause": "The customer's identity verification failed or is pending.",
			"suggested_action": "Have the customer complete KYC."
		},
		"TIMEOUT_EXPIRED": {
			"meaning": "Session expired",
			"likely_cause": "The customer did not act within the validity window.",
			"suggested_action": "Start a new payment."
		},
		"INTERNAL_ERROR": {
			"meaning": "Internal gateway error",
			"likely_cause": "The processing met an unexpected error.",
			"suggested_action": "Try again; contact support if it persists."
		}
	},
	payout: {
		"CURRENCY_NOT_SUPPORTED": {
			"meaning": "Unsupported currency",
			"likely_cause": "The payout's currency differs from that of the wallet.",
			"suggested_action": "Use a currency of the merchant's balance."
		},
		"METHOD_NOT_SUPPORTED": {
			"meaning": "Method unavailable",
			"likely_cause": "The withdrawal method is not available for the region.",
			"suggested_action": "Check the payout methods for the type of account."
		},
		"INVALID_AMOUNT": {
			"meaning": "Invalid amount",
			"likely_cause": "The amount is below the minimum or above the maximum.",
			"suggested_action": "Adjust the amount."
		},
		"INVALID_ACCOUNT_DETAILS": {
			"meaning": "Invalid account data",
			"likely_cause": "The recipient's account or IBAN is wrong.",
			"suggested_action": "Verify it with the beneficiary."
		},
		"INSUFFICIENT_BALANCE": {
			"meaning": "Insufficient balance",
			"likely_cause": "The wallet lacks the funds.",
			"suggested_action": "Fund the wallet first."
		},
		"LIMIT_EXCEEDED": {
			"meaning": "Limit reached",
			"likely_cause": "A payout limit of the account's restrictions is reached.",
			"suggested_action": "Split the payout, or request a higher limit."
		},
		"CHANNEL_DOWN": {
			"meaning": "Channel down",
			"likely_cause": "The clearing house or the bank's system is offline.",
			"suggested_action": "Try again later, typically on the next business day (T+1)."
		},
		"CHANNEL_OVERLOADED": {
			"meaning": "Channel overloaded",
			"likely_cause": "The channel has too much load or too little liquidity.",
			"suggested_action": "Try again later."
		},
		"BANK_REJECTED": {
			"meaning": "Rejected by the bank",
			"likely_cause": "The recipient's bank rejected the transfer.",
			"suggested_action": "Verify the account, and contact the bank."
		},
		"FRAUD_SUSPECTED": {
			"meaning": "Fraud suspected",
			"likely_cause": "Security rules were triggered.",
			"suggested_action": "Contact support for a review."
		},
		"INTERNAL_ERROR": {
			"meaning": "Internal gateway error",
			"likely_cause": "The processing met an unexpected error.",
			"suggested_action": "Try again; contact support if it persists."
		}
	}
};
const UNKNOWN = {
	meaning: "Declined",
	likely_cause: "The reason is newer than this version of the client.",
	suggested_action: "Try another method or contact support, and quote the code."
};
/** The texts of a `decline_reason`. Payments and payouts have tables of their own. */
function describeDecline(kind, reason) {
	const known = Object.hasOwn(TABLES[kind], reason);
	return {
		code: reason,
		known,
		...known && TABLES[kind][reason] || UNKNOWN
	};
}
//#endregion
//#region src/money.ts
/** Decimals by ISO 4217. The tables of Intl follow usage instead, and differ between engines. */
const DIGITS = {
	INR: 2,
	EGP: 2,
	MAD: 2,
	DZD: 2
};
/** An amount as people write it, such as `₹499.00` for 49900. Throws a RangeError for what is no amount of minor units. */
function formatMoney(amount, currency, options = {}) {
	const digits = digitsOf(currency);
	if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no whole number of minor units`);
	const { locale, ...format } = options;
	return new Intl.NumberFormat(locale, {
		style: "currency",
		currency,
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
		...format
	}).format(decimalOf(amount, digits));
}
/**
* Minor units of a plain decimal, such as 49900 for `499` or `499.00`. Throws a RangeError for everything else: signs,
* grouping, commas, exponents, and more decimals than the currency has.
*/
function parseMoney(text, currency) {
	const digits = digitsOf(currency);
	const [, whole = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
	if (!whole) throw new RangeError(`'${text}' is no amount; write it like 1234.50, without signs and grouping`);
	if (fraction.length > digits) throw new RangeError(`'${text}' has more than the ${digits} decimals of ${currency}`);
	const amount = Number(whole + fraction.padEnd(digits, "0"));
	if (!Number.isSafeInteger(amount)) throw new RangeError(`'${text}' is more than can be sent`);
	return amount;
}
function digitsOf(currency) {
	const digits = DIGITS[currency];
	if (digits === void 0) throw new RangeError(`'${currency}' is none of ${Object.keys(DIGITS).join(", ")}`);
	return digits;
}
function decimalOf(amount, digits) {
	const text = String(Math.abs(amount)).padStart(digits + 1, "0");
	const point = text.length - digits;
	return `${amount < 0 ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`;
}
//#endregion
//#region src/wait.ts
const GROWTH = 1.5;
/**
* Waits until a payment is final or needs an action. Failures that pass, such as a lost connection or 503, are waited
* out. Rejects only with the reason of the signal.
*/
function waitForPayment(client, id, options = {}) {
	return wait((signal) => client.GET("/payments/{transaction_id}", {
		params: { path: { transaction_id: id } },
		signal
	}), (payment) => isFinal(payment) ? {
		outcome: "final",
		data: payment
	} : needsAction(payment) ? {
		outcome: "action_needed",
		data: payment
	} : void 0, options);
}
/** Waits until a payout is final; see `waitForPayment`. */
function waitForPayout(client, id, options = {}) {
	return wait((signal) => client.GET("/payouts/{payout_id}", {
		params: { path: { payout_id: id } },
		signal
	}), (payout) => isFinal(payout) ? {
		outcome: "final",
		data: payout
	} : void 0, options);
}
async function wait(read, ending, { deadlineMs = 9e5, pauseMs = 1e3, pauseMsMax = 3e4, signal, clock = systemClock }) {
	let last;
	async function poll(inner) {
		for (let pause = pauseMs;; pause *= GROWTH) {
			const { data, error, response } = await read(inner).catch(orNothing);
			if (error && response && !isPassing(response.status)) return {
				outcome: "problem",
				error,
				response
			};
			last = data ?? last;
			const end = data && ending(data);
			if (end) return end;
			await sleep(clock, Math.min(pause, pauseMsMax), inner);
		}
	}
	try {
		return await limit(clock, deadlineMs, signal, poll);
	} catch (reason) {
		if (reason !== OUT_OF_TIME) throw reason;
		return {
			outcome: "deadline",
			data: last
		};
	}
}
function orNothing(error) {
	if (error instanceof CallError) return {};
	throw error;
}
//#endregion
export { CallError, createPaymentsClient, describeDecline, formatMoney, isFinal, kindOf, needsAction, parseMoney, paymentMethodOf, waitForPayment, waitForPayout };
