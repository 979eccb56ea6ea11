// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

/**
 * @description Merchant's order reference.
 *     Unique among the merchant's payments, and among its payouts.
 */
export type MerchantOrderId = string;
/** @description One thing that is wrong with a request. */
export interface Violation {
    /**
     * @description Part of the request that is wrong.
     * @enum {string}
     */
    in: "body" | "query" | "path" | "header";
    /** @description JSON pointer into that part; empty for all of it. */
    pointer: string;
    /** @description What is wrong and what is allowed. */
    message: string;
}
/**
 * @description HTTP error in the form of RFC 9457.
 *     HTTP errors mean an invalid request or an unavailable service; a declined transaction isn't one.
 */
export type Problem = ValidationProblem | OtherProblem;
/**
 * @description Identifier that the service assigns to the transaction.
 *     It is opaque; use it in the path of the operations on this transaction.
 */
export type TransactionId = string;
/** @description Merchant's order reference, as the creation sent it. */
export type EchoedOrderId = string;
/**
 * Format: int64
 * @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR.
 */
export type Amount = number;
/**
 * @description ISO 4217 code of the currency.
 * @enum {string}
 */
export type Currency = "INR" | "EGP" | "MAD" | "DZD";
/**
 * @description Payment method, as the creation sent it.
 * @example UPI_IN
 */
export type EchoedPaymentMethod = string;
/**
 * Format: date-time
 * @description Time of creation, in ISO 8601 and UTC.
 */
export type CreatedAt = string;
/** @description Initiated payment session, as the status endpoint returns it. */
export interface PaymentCreated extends PaymentBase {
    /**
     * @description Status of the payment, always CREATED here.
     * @enum {string}
     */
    status: "CREATED";
}
/** @description Name of an item of customer data. */
export type DataItemName = "name" | "phone" | "account_number" | "email" | (string & {});
/** @description H2H payment that waits for more customer data. */
export interface PaymentExtraDataNeeded extends PaymentBase {
    /**
     * @description Status of the payment, always EXTRA_DATA_NEEDED here.
     * @enum {string}
     */
    status: "EXTRA_DATA_NEEDED";
    /** @description Names of the data items to supply with clarifyPayment. */
    clarify: DataItemName[];
}
/** @description Account and amounts for the customer's transfer. */
export interface PayData {
    /** @description Account to which the customer transfers the money. */
    receiver_account?: string;
    /** @description Amounts that the payer can choose from, in minor units of the currency. */
    available_amounts?: number[];
}
/**
 * @description Name of an item that `confirm_data` must contain.
 *     The items depend on the payment method.
 */
export type ConfirmItemName = "amount" | "tid" | (string & {});
/** @description H2H payment that waits for the customer to transfer the money and confirm the transfer. */
export interface PaymentConfirmationNeeded extends PaymentBase {
    /**
     * @description Status of the payment, always PAY_CONFIRMATION_NEEDED here.
     * @enum {string}
     */
    status: "PAY_CONFIRMATION_NEEDED";
    /** @description Account and amounts for the customer's transfer. */
    pay_data: PayData;
    /** @description Names of the items that `confirm_data` must contain. */
    confirm: ConfirmItemName[];
}
/** @description Confirmed payment, awaiting final settlement confirmation. */
export interface PaymentVerifying extends PaymentBase {
    /**
     * @description Status of the payment, always VERIFYING here.
     * @enum {string}
     */
    status: "VERIFYING";
    /** @description Payment method, as the creation sent it. */
    payment_method: EchoedPaymentMethod;
}
/**
 * Format: int64
 * @description Amount actually paid, in minor units of the currency.
 */
export type AmountPaid = number;
/**
 * Format: date-time
 * @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC.
 */
export type FinalizedAt = string;
/** @description Completed payment. */
export interface PaymentSucceeded extends PaymentBase {
    /**
     * @description Status of the payment, always SUCCESS here.
     * @enum {string}
     */
    status: "SUCCESS";
    /** @description Amount actually paid, in minor units of the currency. */
    amount_paid: AmountPaid;
    /** @description Payment method, as the creation sent it. */
    payment_method: EchoedPaymentMethod;
    /** @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC. */
    finalized_at: FinalizedAt;
}
/**
 * @description Reason why the payment was declined.
 *     Other values occur, such as INSUFFICIENT_FUNDS; treat an unknown value as a decline for an unknown reason.
 *     To try again, create a new payment with a new `merchant_order_id`.
 */
export type PaymentDeclineReason = "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INVALID_CUSTOMER_DETAILS" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "KYC_BLOCKED" | "TIMEOUT_EXPIRED" | "INTERNAL_ERROR" | (string & {});
/** @description Declined payment, with the reason. */
export interface PaymentFailed extends PaymentBase {
    /**
     * @description Status of the payment, always FAILED here.
     * @enum {string}
     */
    status: "FAILED";
    /** @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC. */
    finalized_at: FinalizedAt;
    /**
     * @description Reason why the payment was declined.
     *     Other values occur, such as INSUFFICIENT_FUNDS; treat an unknown value as a decline for an unknown reason.
     *     To try again, create a new payment with a new `merchant_order_id`.
     */
    decline_reason: PaymentDeclineReason;
}
/**
 * @description Payment; `status` selects the shape.
 *     Each status has its own fields.
 */
export type Payment = PaymentCreated | PaymentExtraDataNeeded | PaymentConfirmationNeeded | PaymentVerifying | PaymentSucceeded | PaymentFailed;
/** @description Problem of an invalid request, with a list of what is wrong. */
export interface ValidationProblem {
    /**
     * @description Kind of problem, for programs to branch on.
     *     The address of each known kind leads to the chapter on errors of this reference.
     */
    type?: "https://docs.gateway.example/problems/validation-failed" | "https://docs.gateway.example/problems/unauthorized" | "https://docs.gateway.example/problems/not-found" | "https://docs.gateway.example/problems/order-id-reused" | "https://docs.gateway.example/problems/wrong-state" | "https://docs.gateway.example/problems/body-too-large" | "https://docs.gateway.example/problems/unsupported-media-type" | "https://docs.gateway.example/problems/rate-limited" | "https://docs.gateway.example/problems/internal-error" | "https://docs.gateway.example/problems/unavailable" | (string & {});
    /** @description Summary of the kind of problem, the same for each occurrence. */
    title?: string;
    /**
     * @description HTTP status code.
     * @enum {integer}
     */
    status: 400;
    /** @description Explanation of this occurrence, and what to do next. */
    detail?: string;
    /** @description Identifier of the request; quote it to support. */
    request_id?: string;
    /** @description List of what is wrong with the request; present if the status is 400. */
    violations: Violation[];
    /** @description Identifier of the transaction that has the order ID; present if the order ID was reused. */
    transaction_id?: string;
    /** @description Members that differ from the first request with this order ID; present if the order ID was reused. */
    differences?: string[];
}
/** @description Unique identifier of the customer in the merchant's system. */
export type CustomerId = string;
/** @description Name of the customer. */
export type CustomerName = string;
/**
 * Format: email
 * @description E-mail address of the customer.
 */
export type CustomerEmail = string;
/** @description Phone number of the customer in international format, with its leading plus sign, such as `+91 98123 45671`. */
export type CustomerPhone = string;
/**
 * @description Merchant's trust level for the customer.
 *     Payments of a TRUSTED customer can be routed separately, to more reliable channels.
 */
export type KycLevel = "TRUSTED" | (string & {});
/**
 * @description Customer who pays.
 *     If a method needs more than the ID, the missing data is requested with EXTRA_DATA_NEEDED, or the payment is declined with INVALID_CUSTOMER_DETAILS.
 */
export interface PaymentCustomer {
    /** @description Unique identifier of the customer in the merchant's system. */
    id: CustomerId;
    /** @description Name of the customer. */
    name?: CustomerName | undefined;
    /** @description E-mail address of the customer. */
    email?: CustomerEmail | undefined;
    /** @description Phone number of the customer in international format, with its leading plus sign, such as `+91 98123 45671`. */
    phone?: CustomerPhone | undefined;
    /**
     * @description Merchant's trust level for the customer.
     *     Payments of a TRUSTED customer can be routed separately, to more reliable channels.
     */
    kyc_level?: KycLevel | undefined;
}
/**
 * @description Payment method.
 *     Your provider lists further methods.
 */
export type PaymentMethodType = "UPI_IN" | (string & {});
/**
 * Format: uri
 * @description Address that the customer returns to from the payment page.
 *     Required for the redirect flow, optional for H2H.
 *     If a method supports both flows, it selects redirect: leave it out for H2H.
 */
export type ReturnUrl = string;
/**
 * Format: uri
 * @description Address of the merchant's endpoint that receives the transaction's webhooks.
 */
export type CallbackUrl = string;
/** @description Request to create a payment. */
export interface CreatePaymentRequest {
    /** @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR. */
    amount: Amount;
    /** @description ISO 4217 code of the currency. */
    currency: Currency;
    /**
     * @description Merchant's order reference.
     *     Unique among the merchant's payments, and among its payouts.
     */
    merchant_order_id: MerchantOrderId;
    /**
     * @description Customer who pays.
     *     If a method needs more than the ID, the missing data is requested with EXTRA_DATA_NEEDED, or the payment is declined with INVALID_CUSTOMER_DETAILS.
     */
    customer: PaymentCustomer;
    /**
     * @description Payment method.
     *     Your provider lists further methods.
     */
    payment_method_type: PaymentMethodType;
    /**
     * @description Address that the customer returns to from the payment page.
     *     Required for the redirect flow, optional for H2H.
     *     If a method supports both flows, it selects redirect: leave it out for H2H.
     */
    return_url?: ReturnUrl | undefined;
    /** @description Address of the merchant's endpoint that receives the transaction's webhooks. */
    callback_url: CallbackUrl;
}
/**
 * Format: uri
 * @description Payment page to send the customer to.
 *     Present only in the redirect flow, with `CREATED`.
 */
export type RedirectUrl = string;
/**
 * @description Initiated payment session, as createPayment returns it.
 *     `redirect_url` is present only in the redirect flow.
 */
export interface CreatePaymentResponseCreated extends PaymentBase {
    /**
     * @description Status of the payment, always CREATED here.
     * @enum {string}
     */
    status: "CREATED";
    /** @description Payment method, as the creation sent it. */
    payment_method_type: EchoedPaymentMethod;
    /**
     * @description Payment page to send the customer to.
     *     Present only in the redirect flow, with `CREATED`.
     */
    redirect_url?: RedirectUrl;
}
/**
 * @description Payment that was declined when it was created.
 *     Accept it from any service; the gateway of this kit declines later, by status and webhook.
 */
export interface CreatePaymentResponseFailed extends PaymentBase {
    /**
     * @description Status of the payment, always FAILED here.
     * @enum {string}
     */
    status: "FAILED";
    /** @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC. */
    finalized_at: FinalizedAt;
    /**
     * @description Reason why the payment was declined.
     *     Other values occur, such as INSUFFICIENT_FUNDS; treat an unknown value as a decline for an unknown reason.
     *     To try again, create a new payment with a new `merchant_order_id`.
     */
    decline_reason: PaymentDeclineReason;
}
/**
 * @description Payment as `createPayment` returns it; `status` selects the shape.
 *     The shape depends on the flow.
 */
export type CreatePaymentResponse = CreatePaymentResponseCreated | PaymentExtraDataNeeded | PaymentConfirmationNeeded | CreatePaymentResponseFailed;
/** @description Known items of customer data, each as a string. */
export interface ClarifyItems {
    /** @description Name of the customer. */
    name?: CustomerName | undefined;
    /** @description Phone number of the customer in international format, with its leading plus sign, such as `+91 98123 45671`. */
    phone?: CustomerPhone | undefined;
    /** @description Account from which the customer pays. */
    account_number?: string | undefined;
    /** @description E-mail address of the customer. */
    email?: CustomerEmail | undefined;
}
/** @description Request to supply customer data. */
export interface ClarifyPaymentRequest {
    /** @description Requested items, by the names that `clarify` lists, each as a string. */
    clarify_data: ClarifyItems & {
        [key: string]: string | undefined;
    };
}
/** @description Known items of a confirmation, each as a string. */
export interface ConfirmItems {
    /** @description Transferred amount in minor units, written as a string. */
    amount?: string | undefined;
    /** @description Reference of the customer's transfer. */
    tid?: string | undefined;
}
/** @description Transfer details from a customer who has made the transfer and pressed 'I have paid'. */
export interface ConfirmPaymentRequest {
    /**
     * @description Every item that `confirm` lists, each as a string.
     *     The items depend on the payment method.
     */
    confirm_data: ConfirmItems & {
        [key: string]: string | undefined;
    };
}
/** @description Result of the confirmation. */
export interface ConfirmPaymentResponse {
    /**
     * @description Identifier that the service assigns to the transaction.
     *     It is opaque; use it in the path of the operations on this transaction.
     */
    transaction_id: TransactionId;
    /** @description Merchant's order reference, as the creation sent it. */
    merchant_order_id: EchoedOrderId;
    /**
     * @description Status of the payment, always VERIFYING here.
     * @constant
     */
    status: "VERIFYING";
    /** @description Human-readable text, saying that the reference was validated and final settlement confirmation is awaited. */
    message: string;
}
/** @description Balance of the wallet in one currency. */
export interface CurrencyBalance {
    /**
     * Format: int64
     * @description Amount available to payouts, in minor units of the currency.
     */
    available: number;
    /**
     * Format: int64
     * @description Amount collected but not yet settled, in minor units of the currency.
     */
    pending: number;
    /** @description ISO 4217 code of the currency. */
    currency: Currency;
}
/** @description Settlement balance of the merchant wallet. */
export interface Balance {
    /** @description Identifier of the merchant. */
    merchant_id: number;
    /** @description Balances of the wallet, one entry for each currency. */
    balances: CurrencyBalance[];
    /**
     * Format: date-time
     * @description Time of the last change, in ISO 8601 and UTC.
     */
    last_updated_at: string;
}
/**
 * @description Recipient of the payout, with the account that receives the money.
 *     If a method needs more than the ID and it is missing, the payout is declined with INVALID_ACCOUNT_DETAILS.
 */
export interface PayoutCustomer {
    /** @description Unique identifier of the customer in the merchant's system. */
    id: CustomerId;
    /** @description Name of the customer. */
    name?: CustomerName | undefined;
    /** @description E-mail address of the customer. */
    email?: CustomerEmail | undefined;
    /** @description Phone number of the customer in international format, with its leading plus sign, such as `+91 98123 45671`. */
    phone?: CustomerPhone | undefined;
    /** @description Account of the recipient, such as a UPI-style or IMPS-style identifier. */
    account_number?: string | undefined;
    /** @description Code of the recipient's bank. */
    bank_code?: string | undefined;
    /** @description Name of the recipient's bank. */
    bank_name?: string | undefined;
    /** @description Branch of the recipient's bank. */
    bank_branch?: string | undefined;
    /**
     * @description Merchant's trust level for the customer.
     *     Payments of a TRUSTED customer can be routed separately, to more reliable channels.
     */
    kyc_level?: KycLevel | undefined;
}
/**
 * @description Payout method.
 *     Your provider lists further methods.
 */
export type PayoutMethodType = "IMPS_IN" | (string & {});
/** @description Request to create a payout. */
export interface CreatePayoutRequest {
    /** @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR. */
    amount: Amount;
    /** @description ISO 4217 code of the currency. */
    currency: Currency;
    /**
     * @description Merchant's order reference.
     *     Unique among the merchant's payments, and among its payouts.
     */
    merchant_order_id: MerchantOrderId;
    /**
     * @description Recipient of the payout, with the account that receives the money.
     *     If a method needs more than the ID and it is missing, the payout is declined with INVALID_ACCOUNT_DETAILS.
     */
    customer: PayoutCustomer;
    /**
     * @description Payout method.
     *     Your provider lists further methods.
     */
    payment_method_type: PayoutMethodType;
    /** @description Address of the merchant's endpoint that receives the transaction's webhooks. */
    callback_url: CallbackUrl;
}
/** @description Payout that is being processed. */
export interface PayoutProcessing extends PayoutBase {
    /**
     * @description Status of the payout, always PROCESSING here.
     * @enum {string}
     */
    status: "PROCESSING";
}
/**
 * @description Reason why the payout was declined.
 *     Other values occur, such as INVALID_ACCOUNT_NUMBER; treat an unknown value as a decline for an unknown reason.
 *     To try again, create a new payout with a new `merchant_order_id`.
 */
export type PayoutDeclineReason = "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INSUFFICIENT_BALANCE" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "FRAUD_SUSPECTED" | "INTERNAL_ERROR" | (string & {});
/** @description Declined payout, with the reason. */
export interface PayoutFailed extends PayoutBase {
    /**
     * @description Status of the payout, always FAILED here.
     * @enum {string}
     */
    status: "FAILED";
    /** @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC. */
    finalized_at: FinalizedAt;
    /**
     * @description Reason why the payout was declined.
     *     Other values occur, such as INVALID_ACCOUNT_NUMBER; treat an unknown value as a decline for an unknown reason.
     *     To try again, create a new payout with a new `merchant_order_id`.
     */
    decline_reason: PayoutDeclineReason;
}
/**
 * @description Payout as `createPayout` returns it; `status` selects the shape.
 *     Accept FAILED from any service; the gateway of this kit declines later, by status and webhook.
 */
export type CreatePayoutResponse = PayoutProcessing | PayoutFailed;
/** @description Completed payout. */
export interface PayoutSucceeded extends PayoutBase {
    /**
     * @description Status of the payout, always SUCCESS here.
     * @enum {string}
     */
    status: "SUCCESS";
    /** @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC. */
    finalized_at: FinalizedAt;
}
/**
 * @description Payout; `status` selects the shape.
 *     A payout has no payment method field.
 */
export type Payout = PayoutProcessing | PayoutSucceeded | PayoutFailed;
/**
 * @description Status of a payment.
 * @enum {string}
 */
export type PaymentStatus = "CREATED" | "EXTRA_DATA_NEEDED" | "PAY_CONFIRMATION_NEEDED" | "VERIFYING" | "SUCCESS" | "FAILED";
/** @description What every payment has, whatever its status. */
export interface PaymentBase {
    /**
     * @description Identifier that the service assigns to the transaction.
     *     It is opaque; use it in the path of the operations on this transaction.
     */
    transaction_id: TransactionId;
    /** @description Merchant's order reference, as the creation sent it. */
    merchant_order_id: EchoedOrderId;
    /** @description Status of a payment. */
    status: PaymentStatus;
    /** @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR. */
    amount: Amount;
    /** @description ISO 4217 code of the currency. */
    currency: Currency;
    /** @description Time of creation, in ISO 8601 and UTC. */
    created_at: CreatedAt;
    /** @description Payment method, as the creation sent it. */
    payment_method?: EchoedPaymentMethod;
    /** @description Payment method, as the creation sent it. */
    payment_method_type?: EchoedPaymentMethod;
}
/**
 * @description Status of a payout.
 * @enum {string}
 */
export type PayoutStatus = "PROCESSING" | "SUCCESS" | "FAILED";
/** @description What every payout has, whatever its status. */
export interface PayoutBase {
    /**
     * @description Identifier that the service assigns to the transaction.
     *     It is opaque; use it in the path of the operations on this transaction.
     */
    transaction_id: TransactionId;
    /** @description Merchant's order reference, as the creation sent it. */
    merchant_order_id: EchoedOrderId;
    /** @description Status of a payout. */
    status: PayoutStatus;
    /** @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR. */
    amount: Amount;
    /** @description ISO 4217 code of the currency. */
    currency: Currency;
    /** @description Time of creation, in ISO 8601 and UTC. */
    created_at: CreatedAt;
    /** @description A payout never has it. */
    payment_method?: undefined;
    /** @description A payout never has it. */
    payment_method_type?: undefined;
}
/**
 * @description HTTP status code of an error that is not 400.
 * @enum {integer}
 */
export type OtherErrorStatus = 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419 | 420 | 421 | 422 | 423 | 424 | 425 | 426 | 427 | 428 | 429 | 430 | 431 | 432 | 433 | 434 | 435 | 436 | 437 | 438 | 439 | 440 | 441 | 442 | 443 | 444 | 445 | 446 | 447 | 448 | 449 | 450 | 451 | 452 | 453 | 454 | 455 | 456 | 457 | 458 | 459 | 460 | 461 | 462 | 463 | 464 | 465 | 466 | 467 | 468 | 469 | 470 | 471 | 472 | 473 | 474 | 475 | 476 | 477 | 478 | 479 | 480 | 481 | 482 | 483 | 484 | 485 | 486 | 487 | 488 | 489 | 490 | 491 | 492 | 493 | 494 | 495 | 496 | 497 | 498 | 499 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511 | 512 | 513 | 514 | 515 | 516 | 517 | 518 | 519 | 520 | 521 | 522 | 523 | 524 | 525 | 526 | 527 | 528 | 529 | 530 | 531 | 532 | 533 | 534 | 535 | 536 | 537 | 538 | 539 | 540 | 541 | 542 | 543 | 544 | 545 | 546 | 547 | 548 | 549 | 550 | 551 | 552 | 553 | 554 | 555 | 556 | 557 | 558 | 559 | 560 | 561 | 562 | 563 | 564 | 565 | 566 | 567 | 568 | 569 | 570 | 571 | 572 | 573 | 574 | 575 | 576 | 577 | 578 | 579 | 580 | 581 | 582 | 583 | 584 | 585 | 586 | 587 | 588 | 589 | 590 | 591 | 592 | 593 | 594 | 595 | 596 | 597 | 598 | 599;
/** @description Problem with a status that is not 400. */
export interface OtherProblem {
    /**
     * @description Kind of problem, for programs to branch on.
     *     The address of each known kind leads to the chapter on errors of this reference.
     */
    type?: "https://docs.gateway.example/problems/validation-failed" | "https://docs.gateway.example/problems/unauthorized" | "https://docs.gateway.example/problems/not-found" | "https://docs.gateway.example/problems/order-id-reused" | "https://docs.gateway.example/problems/wrong-state" | "https://docs.gateway.example/problems/body-too-large" | "https://docs.gateway.example/problems/unsupported-media-type" | "https://docs.gateway.example/problems/rate-limited" | "https://docs.gateway.example/problems/internal-error" | "https://docs.gateway.example/problems/unavailable" | (string & {});
    /** @description Summary of the kind of problem, the same for each occurrence. */
    title?: string;
    /** @description HTTP status code of an error that is not 400. */
    status?: OtherErrorStatus;
    /** @description Explanation of this occurrence, and what to do next. */
    detail?: string;
    /** @description Identifier of the request; quote it to support. */
    request_id?: string;
    /** @description Only a problem with the status 400 has it. */
    violations?: undefined;
    /** @description Identifier of the transaction that has the order ID; present if the order ID was reused. */
    transaction_id?: string;
    /** @description Members that differ from the first request with this order ID; present if the order ID was reused. */
    differences?: string[];
}

/** Requests and responses of each operation, by method and path. `error` is the body of every status but a success. */
export interface Operations {
    GET: {
        /**
         * Find a payment (findPayment).
         * Returns a payment by your `merchant_order_id` or by its `transaction_id`.
         * Send exactly one of the two.
         * A declined payment has a payment decline reason.
         */
        "/payments": {
            params: { query: { transaction_id: string; merchant_order_id?: undefined } | { transaction_id?: undefined; merchant_order_id: MerchantOrderId } };
            data: Payment;
            error: Problem;
        };
        /**
         * Get a payment (getPayment).
         * Returns the current state of a payment.
         * A declined payment has a payment decline reason.
         */
        "/payments/{transaction_id}": {
            params: { path: { transaction_id: string } };
            data: Payment;
            error: Problem;
        };
        /**
         * Get the balance (getBalance).
         * Returns the available settlement balance of the merchant wallet.
         * A currency that the wallet has never held can be missing.
         */
        "/merchant/balance": {
            data: Balance;
            error: Problem;
        };
        /**
         * Get a payout (getPayout).
         * Returns the current state of a payout.
         * A declined payout has a payout decline reason.
         */
        "/payouts/{payout_id}": {
            params: { path: { payout_id: string } };
            data: Payout;
            error: Problem;
        };
    };
    POST: {
        /**
         * Create a payment (createPayment).
         * Creates a payment session.
         * 
         * - In the redirect flow, `return_url` is required; send the customer to the `redirect_url` of the response.
         * - In the host-to-host (H2H) flow, the response can already request what is needed next.
         * 
         * It is safe to send the same request again: it returns the same transaction and never moves money twice.
         * Declines aren't HTTP errors: the payment is created, then becomes `FAILED` with a payment decline reason, which the status response and the webhook report.
         */
        "/payments": {
            body: CreatePaymentRequest;
            data: CreatePaymentResponse;
            error: Problem;
        };
        /**
         * Clarify a payment (clarifyPayment).
         * Supplies the customer data that an H2H payment in EXTRA_DATA_NEEDED requests.
         * The flow then continues.
         * Supply every item that `clarify` names in one request; otherwise the request gets 400.
         */
        "/payments/{transaction_id}/clarify": {
            params: { path: { transaction_id: string } };
            body: ClarifyPaymentRequest;
            data: Payment;
            error: Problem;
        };
        /**
         * Confirm a payment (confirmPayment).
         * Collects the transfer reference of an H2H payment, after the customer has made the transfer and pressed 'I have paid'.
         * The service validates the reference.
         * `confirm_data` must contain every item that `confirm` names; otherwise the request gets 400.
         */
        "/payments/{transaction_id}/confirm": {
            params: { path: { transaction_id: string } };
            body: ConfirmPaymentRequest;
            data: ConfirmPaymentResponse;
            error: Problem;
        };
        /**
         * Create a payout (createPayout).
         * Withdraws money from the merchant wallet to a bank account or local wallet.
         * It is safe to send the same request again: it returns the same transaction and never moves money twice.
         * Declines aren't HTTP errors: the payout is created, then becomes `FAILED` with a payout decline reason, which the status response and the webhook report.
         */
        "/payouts": {
            body: CreatePayoutRequest;
            data: CreatePayoutResponse;
            error: Problem;
        };
    };
}
/** Payload of each webhook, by the name of the event. */
export interface WebhookPayloads {
    /** Payment needs more data. */
    paymentExtraDataNeeded: PaymentExtraDataNeeded;
    /** Payment needs confirmation. */
    paymentConfirmationNeeded: PaymentConfirmationNeeded;
    /** Payment has succeeded. */
    paymentSucceeded: PaymentSucceeded;
    /** Payment has failed. */
    paymentFailed: PaymentFailed;
    /** Payout has succeeded. */
    payoutSucceeded: PayoutSucceeded;
    /** Payout has failed. */
    payoutFailed: PayoutFailed;
}
/** Name of a webhook. */
export type WebhookName = keyof WebhookPayloads;
/** Payload of any webhook about a payment. */
export type PaymentWebhookPayload = WebhookPayloads['paymentExtraDataNeeded'] | WebhookPayloads['paymentConfirmationNeeded'] | WebhookPayloads['paymentSucceeded'] | WebhookPayloads['paymentFailed'];
/** Payload of any webhook about a payout. */
export type PayoutWebhookPayload = WebhookPayloads['payoutSucceeded'] | WebhookPayloads['payoutFailed'];
/** Payload of any webhook. A payment names its method (`payment_method` or `payment_method_type`), a payout does not. */
export type WebhookPayload = WebhookPayloads[WebhookName];
