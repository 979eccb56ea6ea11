//#region ../generated/statuses.ts
/** How far along a status is, by kind of transaction: every move of the transition tables leads to a higher rank. */
const statusRanks = {
	"payment": {
		"CREATED": 0,
		"EXTRA_DATA_NEEDED": 1,
		"PAY_CONFIRMATION_NEEDED": 2,
		"VERIFYING": 3,
		"SUCCESS": 4,
		"FAILED": 4
	},
	"payout": {
		"PROCESSING": 0,
		"SUCCESS": 1,
		"FAILED": 1
	}
};
/** Statuses that nothing follows. */
const finalStatuses = ["SUCCESS", "FAILED"];
/** Statuses that wait for a call of the merchant, with the operation's name. */
const awaitedCalls = {
	"EXTRA_DATA_NEEDED": "clarifyPayment",
	"PAY_CONFIRMATION_NEEDED": "confirmPayment"
};
/** Statuses that are told by webhook, by kind of transaction. */
const webhookStatuses = {
	"payment": [
		"EXTRA_DATA_NEEDED",
		"PAY_CONFIRMATION_NEEDED",
		"SUCCESS",
		"FAILED"
	],
	"payout": ["SUCCESS", "FAILED"]
};
/** Paths on which POST creates a transaction; the same request again is safe. */
const creationPaths = ["/payments", "/payouts"];
//#endregion
//#region src/transactions.ts
/** Reading transactions. */
/** True when nothing will change any more. */
function isFinal(transaction) {
	return finalStatuses.includes(transaction.status);
}
/** True when a payment waits for `clarify` or `confirm`. */
function needsAction(payment) {
	return Object.hasOwn(awaitedCalls, payment.status);
}
/** Tells payments from payouts: payments name their method, payouts do not. */
function kindOf(transaction) {
	return "payment_method" in transaction || "payment_method_type" in transaction ? "payment" : "payout";
}
/** The method of a payment, whichever of its two names the answer uses. */
function paymentMethodOf(payment) {
	return "payment_method" in payment ? payment.payment_method : payment.payment_method_type;
}
//#endregion
export { creationPaths as a, paymentMethodOf as i, kindOf as n, statusRanks as o, needsAction as r, webhookStatuses as s, isFinal as t };
