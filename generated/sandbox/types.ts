// Made from gateway/sandbox/ by `npm run build`.
// Do not edit: change its document and run it again.

export interface paths {
    "/sandbox/payments/{transaction_id}/ask-for-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for customer data
         * @description The channel asks for more data. The payment moves from CREATED to EXTRA_DATA_NEEDED.
         */
        post: operations["askForPaymentData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/ask-for-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for confirmation
         * @description The channel says where to pay. The payment moves from CREATED or EXTRA_DATA_NEEDED to PAY_CONFIRMATION_NEEDED.
         */
        post: operations["askForPaymentConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay
         * @description The customer pays: on the payment page, or by a transfer that nobody has confirmed.
         *     The payment moves from CREATED or PAY_CONFIRMATION_NEEDED to VERIFYING.
         */
        post: operations["payPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/succeed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Succeed
         * @description The channel has found the money. The payment moves from VERIFYING to SUCCESS.
         */
        post: operations["succeedPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle
         * @description The money of a payment in SUCCESS moves from `pending` to `available` now.
         */
        post: operations["settlePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline
         * @description The channel declines the payment for any reason. It moves to FAILED.
         */
        post: operations["declinePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{transaction_id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire
         * @description The payment's session ends now, without waiting for its time. It moves to FAILED with TIMEOUT_EXPIRED.
         */
        post: operations["expirePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payouts/{transaction_id}/succeed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Succeed
         * @description The bank has paid it out. The payout moves from PROCESSING to SUCCESS.
         */
        post: operations["succeedPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payouts/{transaction_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline
         * @description The bank declines the payout for any reason. It moves to FAILED, and the amount back to the wallet.
         */
        post: operations["declinePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         * @description Returns the merchant's time.
         */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Moves the merchant's time forward, by a duration or to a time.
         *     Whatever becomes due on the way happens at its own time and in order: expiry, settlement, webhook retries.
         *     The response is sent when it has happened, or after 20 seconds; `reached` says which, and `held_up_by` what is still due.
         *     Webhook signatures keep the real time, so receivers accept them; `/sandbox/clock/signatures` changes that.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze the clock
         * @description Stops the merchant's time, now or at a later time.
         *     Requests are served as ever; what waits for a time waits until the clock is advanced or released.
         */
        post: operations["freezeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the clock
         * @description Returns the merchant's time to the real time.
         *     If it is behind, everything that becomes due until then happens first, in order.
         *     If it is ahead, it goes back: transactions that are due happen first, at the time from which the clock goes back.
         *     What was written keeps its times, and what waits for a time, such as expiry or a webhook retry, still waits for that
         *     time. The history of a transaction never goes back: a change that follows later ones gets the time of the last.
         */
        post: operations["releaseClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/signatures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the time of signatures
         * @description Selects the time in the timestamps of the merchant's webhook signatures, `real` by default.
         *     With `merchant`, a receiver that compares timestamps with its own clock refuses webhooks while the merchant's clock
         *     is more than its tolerance away.
         */
        post: operations["setSignatureTime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Returns the condition of the channel of each method.
         */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/channels/{kind}/{method}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a channel's condition
         * @description Sets the condition of a method's channel, for this merchant only.
         */
        put: operations["setChannel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallets/{currency}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fund a wallet
         * @description Adds money from outside to the available balance.
         */
        post: operations["fundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallets/{currency}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain a wallet
         * @description Takes an amount from the available balance, or all of it.
         */
        post: operations["drainWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/customers/{customer_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a customer
         * @description The channels decline the customer's transactions from now on.
         */
        post: operations["blockCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/customers/{customer_id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a customer
         * @description The channels accept the customer's transactions again.
         */
        post: operations["unblockCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/customers/{customer_id}/use-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use up a customer's limits
         * @description Counts an amount against the customer's limits of today and of this month, as if it had been paid.
         *     Customers in the tables of test payments and test payouts have no limits: use another id.
         *     With the limit of the method, the next transaction is declined with LIMIT_EXCEEDED.
         */
        post: operations["useCustomerLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/test-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test data
         * @description Returns the customers and accounts that select an outcome, each with the smallest request that uses it.
         *     The requests lack `merchant_order_id` and `callback_url`, which are yours.
         */
        get: operations["listTestData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/chaos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chaos rules
         * @description Returns the rules that are active.
         */
        get: operations["listChaos"];
        put?: never;
        /**
         * Add a chaos rule
         * @description Makes this merchant's requests fail. It never affects the sandbox's own operations.
         *     A rule switches itself off after a number of requests or a time; without either, after an hour.
         *     Rules run in order until one responds. A merchant can have 50.
         */
        post: operations["addChaos"];
        /**
         * Remove all chaos rules
         * @description Requests are served as ever from now on.
         */
        delete: operations["clearChaos"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/chaos/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a chaos rule
         * @description Removes one rule.
         */
        delete: operations["removeChaos"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/webhook-faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook faults
         * @description Returns the rules that are active.
         */
        get: operations["listWebhookFaults"];
        put?: never;
        /**
         * Add a webhook fault
         * @description Makes webhooks fail, of one address, of one transaction, or all of the merchant.
         *     A rule affects events that are first attempted while it is active: a number of them, or all until it is removed.
         *     A merchant can have 50 rules.
         */
        post: operations["addWebhookFault"];
        /**
         * Remove all webhook faults
         * @description Webhooks are sent as ever from now on.
         */
        delete: operations["clearWebhookFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/webhook-faults/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook fault
         * @description Removes one rule.
         */
        delete: operations["removeWebhookFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/events/{event_id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign an event
         * @description Returns the request that delivers an event, signed now, to send it from elsewhere. Nothing is sent.
         */
        post: operations["signEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/events/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send sample events
         * @description Sends an example of each event to an address, signed with the merchant's secret, and returns the responses.
         *     The examples are those of the contract; no transaction is behind them.
         *     While they are being sent, the merchant can't send others.
         */
        post: operations["sendSampleEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/sink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a webhook
         * @description A callback URL for transactions whose webhooks nobody has to receive.
         */
        post: operations["takeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a merchant
         * @description Creates a merchant with a wallet for each currency, and returns its key and secret.
         *     It needs no API key, so that each CI job can have a merchant of its own. If the gateway has a `SANDBOX_KEY`, send it
         *     instead: `Authorization: Bearer <SANDBOX_KEY>`.
         *     The merchant is deleted after some days (`SANDBOX_MERCHANT_DAYS`), and there are only so many (`SANDBOX_MERCHANTS_MAX`).
         *     Pages of other sites get 403.
         */
        post: operations["createMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/merchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the merchant
         * @description Deletes the merchant of the key and all that belongs to it. The key is refused from then on.
         */
        delete: operations["deleteMerchant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/merchant/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read key and secrets
         * @description Returns the merchant's API keys and signing secrets, to copy them into an app. Only the key of the demo merchant can
         *     be shown again; of others, the last characters.
         */
        get: operations["getCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/merchant/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the merchant
         * @description Deletes the merchant's transactions, events, ledger and settings, and empties its wallets; the demo merchant gets
         *     its money again. The keys and the newest secret stay.
         */
        post: operations["resetMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/console-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to the console
         * @description Returns a link that opens the console of this merchant once, within 15 minutes.
         *     A link that is made in a session of the console ends with that session, and so does the session that it begins.
         */
        post: operations["createConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AskForDataRequest: {
            /** @description Names of the data that the customer has to supply. */
            items: string[];
        };
        /** @description One thing that is wrong with a request. */
        Violation: {
            /**
             * @description Part of the request that is wrong.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header";
            /** @description JSON pointer into that part; empty for all of it. */
            pointer: string;
            /** @description What is wrong and what is allowed. */
            message: string;
        };
        /**
         * @description HTTP error in the form of RFC 9457.
         *     HTTP errors mean an invalid request or an unavailable service; a declined transaction isn't one.
         */
        Problem: {
            /**
             * @description Kind of problem, for programs to branch on.
             *     The address of each known kind leads to the chapter on errors of this reference.
             */
            type?: "https://docs.gateway.example/problems/validation-failed" | "https://docs.gateway.example/problems/unauthorized" | "https://docs.gateway.example/problems/not-found" | "https://docs.gateway.example/problems/order-id-reused" | "https://docs.gateway.example/problems/wrong-state" | "https://docs.gateway.example/problems/body-too-large" | "https://docs.gateway.example/problems/unsupported-media-type" | "https://docs.gateway.example/problems/rate-limited" | "https://docs.gateway.example/problems/internal-error" | "https://docs.gateway.example/problems/unavailable" | (string & {});
            /** @description Summary of the kind of problem, the same for each occurrence. */
            title?: string;
            /** @description HTTP status code. */
            status?: number;
            /** @description Explanation of this occurrence, and what to do next. */
            detail?: string;
            /** @description Identifier of the request; quote it to support. */
            request_id?: string;
            /** @description List of what is wrong with the request; present if the status is 400. */
            violations?: components["schemas"]["Violation"][];
            /** @description Identifier of the transaction that has the order ID; present if the order ID was reused. */
            transaction_id?: string;
            /** @description Members that differ from the first request with this order ID; present if the order ID was reused. */
            differences?: string[];
        };
        /**
         * @description Identifier that the service assigns to the transaction.
         *     It is opaque; use it in the path of the operations on this transaction.
         */
        TransactionId: string;
        /** @description Merchant's order reference, as the creation sent it. */
        EchoedOrderId: string;
        /**
         * Format: int64
         * @description Requested amount in minor units of the currency, such as 49900 for 499.00 INR.
         */
        Amount: number;
        /**
         * @description ISO 4217 code of the currency.
         * @enum {string}
         */
        Currency: "INR" | "EGP" | "MAD" | "DZD";
        /**
         * @description Payment method, as the creation sent it.
         * @example UPI_IN
         */
        EchoedPaymentMethod: string;
        /**
         * Format: date-time
         * @description Time of creation, in ISO 8601 and UTC.
         */
        CreatedAt: string;
        /** @description Initiated payment session, as the status endpoint returns it. */
        PaymentCreated: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always CREATED here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "CREATED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /** @description Name of an item of customer data. */
        DataItemName: "name" | "phone" | "account_number" | "email" | (string & {});
        /** @description H2H payment that waits for more customer data. */
        PaymentExtraDataNeeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always EXTRA_DATA_NEEDED here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "EXTRA_DATA_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type?: components["schemas"]["EchoedPaymentMethod"];
            payment_method?: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
            /** @description Names of the data items to supply with clarifyPayment. */
            clarify: components["schemas"]["DataItemName"][];
        };
        /** @description Account and amounts for the customer's transfer. */
        PayData: {
            /** @description Account to which the customer transfers the money. */
            receiver_account?: string;
            /** @description Amounts that the payer can choose from, in minor units of the currency. */
            available_amounts?: number[];
        };
        /**
         * @description Name of an item that `confirm_data` must contain.
         *     The items depend on the payment method.
         */
        ConfirmItemName: "amount" | "tid" | (string & {});
        /** @description H2H payment that waits for the customer to transfer the money and confirm the transfer. */
        PaymentConfirmationNeeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always PAY_CONFIRMATION_NEEDED here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "PAY_CONFIRMATION_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type?: components["schemas"]["EchoedPaymentMethod"];
            payment_method?: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
            pay_data: components["schemas"]["PayData"];
            /** @description Names of the items that `confirm_data` must contain. */
            confirm: components["schemas"]["ConfirmItemName"][];
        };
        /** @description Confirmed payment, awaiting final settlement confirmation. */
        PaymentVerifying: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always VERIFYING here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "VERIFYING";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /**
         * Format: int64
         * @description Amount actually paid, in minor units of the currency.
         */
        AmountPaid: number;
        /**
         * Format: date-time
         * @description Time when the transaction became SUCCESS or FAILED, in ISO 8601 and UTC.
         */
        FinalizedAt: string;
        /** @description Completed payment. */
        PaymentSucceeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always SUCCESS here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "SUCCESS";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            amount_paid: components["schemas"]["AmountPaid"];
            payment_method: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
        };
        /**
         * @description Reason why the payment was declined.
         *     Other values occur, such as INSUFFICIENT_FUNDS; treat an unknown value as a decline for an unknown reason.
         *     To try again, create a new payment with a new `merchant_order_id`.
         */
        PaymentDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INVALID_CUSTOMER_DETAILS" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "KYC_BLOCKED" | "TIMEOUT_EXPIRED" | "INTERNAL_ERROR" | (string & {});
        /** @description Declined payment, with the reason. */
        PaymentFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payment, always FAILED here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "FAILED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["EchoedPaymentMethod"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
            decline_reason: components["schemas"]["PaymentDeclineReason"];
        };
        /**
         * @description Payment; `status` selects the shape.
         *     Each status has its own fields.
         */
        Payment: components["schemas"]["PaymentCreated"] | components["schemas"]["PaymentExtraDataNeeded"] | components["schemas"]["PaymentConfirmationNeeded"] | components["schemas"]["PaymentVerifying"] | components["schemas"]["PaymentSucceeded"] | components["schemas"]["PaymentFailed"];
        /** @description Problem of an invalid request, with a list of what is wrong. */
        ValidationProblem: components["schemas"]["Problem"] & {
            /**
             * @description HTTP status code, always 400 here.
             * @constant
             */
            status?: 400;
        };
        IllegalEventProblem: components["schemas"]["Problem"] & {
            /** @description The simulation events that are legal now. */
            legal_events: string[];
        };
        AskForConfirmationRequest: {
            /** @description Amounts that the customer can transfer, in minor units. By default, those of the sandbox's channels. */
            available_amounts?: number[];
        };
        SucceedPaymentRequest: {
            /** @description What was transferred, in minor units. By default, the amount that was confirmed or requested. */
            amount_paid?: number;
        };
        DeclinePaymentRequest: {
            decline_reason: components["schemas"]["PaymentDeclineReason"];
        };
        /** @description Payout that is being processed. */
        PayoutProcessing: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payout, always PROCESSING here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "PROCESSING";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /** @description Completed payout. */
        PayoutSucceeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payout, always SUCCESS here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "SUCCESS";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
        };
        /**
         * @description Reason why the payout was declined.
         *     Other values occur, such as INVALID_ACCOUNT_NUMBER; treat an unknown value as a decline for an unknown reason.
         *     To try again, create a new payout with a new `merchant_order_id`.
         */
        PayoutDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INSUFFICIENT_BALANCE" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "FRAUD_SUSPECTED" | "INTERNAL_ERROR" | (string & {});
        /** @description Declined payout, with the reason. */
        PayoutFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["EchoedOrderId"];
            /**
             * @description Status of the payout, always FAILED here. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "FAILED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
            decline_reason: components["schemas"]["PayoutDeclineReason"];
        };
        /**
         * @description Payout; `status` selects the shape.
         *     A payout has no payment method field.
         */
        Payout: components["schemas"]["PayoutProcessing"] | components["schemas"]["PayoutSucceeded"] | components["schemas"]["PayoutFailed"];
        DeclinePayoutRequest: {
            decline_reason: components["schemas"]["PayoutDeclineReason"];
        };
        /**
         * Format: date-time
         * @description Time in UTC, with milliseconds.
         */
        Timestamp: string;
        /**
         * @description The time in the timestamps of webhook signatures: the real time, so that receivers accept them wherever the
         *     merchant's clock is, or the time of the merchant's clock.
         * @enum {string}
         */
        SignatureTime: "real" | "merchant";
        Clock: {
            now: components["schemas"]["Timestamp"];
            /** @description Whether the time is frozen. */
            frozen: boolean;
            /** @description Milliseconds by which it is ahead of the gateway's time; it is behind if this is negative. */
            ahead_ms: number;
            signatures: components["schemas"]["SignatureTime"];
            /** @description Whether everything that was due by now has happened. If not, `held_up_by` says what hasn't. */
            reached: boolean;
            /** @description What was still due or under way when the gateway stopped waiting for it. */
            held_up_by?: string;
        };
        /** @description Number with a unit, such as `500ms`, `30s`, `15m`, `2h` or `3d`. */
        Duration: string;
        /** @description Either a duration or a time. */
        AdvanceClockRequest: {
            by?: components["schemas"]["Duration"];
            to?: components["schemas"]["Timestamp"];
        };
        FreezeClockRequest: {
            at?: components["schemas"]["Timestamp"];
        };
        SetSignatureTimeRequest: {
            time: components["schemas"]["SignatureTime"];
        };
        /**
         * @description `down` and `overloaded` decline with CHANNEL_DOWN and CHANNEL_OVERLOADED. `slow` responds after a delay.
         *     `lost_response` does the work, and its first response is lost. `manual` waits for simulation events.
         * @enum {string}
         */
        Condition: "up" | "down" | "overloaded" | "slow" | "lost_response" | "manual";
        Channel: {
            /**
             * @description Whether it is a method of payments or of payouts.
             * @enum {string}
             */
            kind: "payment" | "payout";
            /** @description The `payment_method_type`. */
            method: string;
            condition: components["schemas"]["Condition"];
            /** @description Milliseconds until a slow channel responds. */
            delay_ms?: number;
        };
        ChannelList: {
            /** @description The channel of each method. */
            data: components["schemas"]["Channel"][];
        };
        SetChannelRequest: {
            condition: components["schemas"]["Condition"];
            /** @description How long a slow channel takes; 3 seconds by default, at most 30. */
            delay?: components["schemas"]["Duration"];
        };
        FundWalletRequest: {
            /** @description Amount in minor units. */
            amount: number;
        };
        /** @description Balance of the wallet in one currency. */
        CurrencyBalance: {
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
            currency: components["schemas"]["Currency"];
        };
        /** @description Settlement balance of the merchant wallet. */
        Balance: {
            /** @description Identifier of the merchant. */
            merchant_id: number;
            /** @description Balances of the wallet, one entry for each currency. */
            balances: components["schemas"]["CurrencyBalance"][];
            /**
             * Format: date-time
             * @description Time of the last change, in ISO 8601 and UTC.
             */
            last_updated_at: string;
        };
        DrainWalletRequest: {
            /** @description Amount in minor units; all by default. */
            amount?: number;
        };
        BlockCustomerRequest: {
            /** @description Reason of the declines; KYC_BLOCKED by default. */
            decline_reason?: string;
        };
        UseLimitsRequest: {
            /**
             * @description Whether the method is one of payments or of payouts.
             * @enum {string}
             */
            kind: "payment" | "payout";
            /** @description The `payment_method_type`. */
            method: string;
            /** @description Amount in minor units; the limit of a day by default. */
            amount?: number;
        };
        TestDatum: {
            /**
             * @description Whether it is for payments or payouts.
             * @enum {string}
             */
            kind: "payment" | "payout";
            /** @description Field of the request, such as `customer.id`. */
            field: string;
            /** @description Value that selects the outcome. */
            value: string;
            /** @description What happens. */
            summary: string;
            /** @description Smallest request, without `merchant_order_id` and `callback_url`. */
            request: {
                [key: string]: unknown;
            };
        };
        TestDataList: {
            /** @description One entry for each value. */
            data: components["schemas"]["TestDatum"][];
        };
        /**
         * @description `slow` waits first. `rate_limited`, `unavailable` and `internal_error` respond with 429, 503 and 500 and do nothing.
         *     `dropped_before` closes the connection and does nothing, `dropped_after` does the work first. `truncated` cuts the body.
         * @enum {string}
         */
        ChaosFault: "slow" | "rate_limited" | "unavailable" | "internal_error" | "dropped_before" | "dropped_after" | "truncated";
        ChaosRule: {
            /** @description Identifier of the rule. */
            id: string;
            fault: components["schemas"]["ChaosFault"];
            /** @description Operation that is affected; all if it is missing. */
            operation?: string;
            /** @description Milliseconds that `slow` waits. */
            latency_ms?: number;
            /** @description Seconds in `Retry-After`. */
            retry_after?: number;
            /** @description Share of the requests. */
            rate: number;
            /** @description Seed of the choice. */
            seed?: number;
            /** @description How many more requests are affected. */
            requests_left?: number;
            ends_at: components["schemas"]["Timestamp"];
        };
        ChaosList: {
            /** @description The active rules, oldest first. */
            data: components["schemas"]["ChaosRule"][];
        };
        ChaosRequest: {
            fault: components["schemas"]["ChaosFault"];
            /** @description An `operationId` of the API; all by default. */
            operation?: string;
            /** @description How long `slow` waits; 2 seconds by default, at most 60. */
            latency?: components["schemas"]["Duration"];
            /** @description Seconds in `Retry-After` of 429 and 503; 1 by default. */
            retry_after?: number;
            /** @description Share of the requests; all by default. */
            rate?: number;
            /** @description With the same seed the same requests in a row are affected. */
            seed?: number;
            /** @description How many requests are affected before the rule ends. */
            requests?: number;
            /** @description How long the rule lasts by the clock of the merchant, at most a day. */
            for?: components["schemas"]["Duration"];
        };
        /**
         * @description `duplicate` sends each event twice. `delay` waits before the first attempt. `reorder` sends an event after the next one of
         *     its address, or after 5 seconds. `drop` loses attempts, which then count as failed. The others send an attempt
         *     with a signature that a receiver has to refuse: of another secret, none, of a timestamp an hour old, of a secret that has expired.
         * @enum {string}
         */
        WebhookFault: "duplicate" | "delay" | "reorder" | "drop" | "wrong_signature" | "missing_signature" | "stale_timestamp" | "rotated_secret";
        WebhookFaultRule: {
            /** @description Identifier of the rule. */
            id: string;
            fault: components["schemas"]["WebhookFault"];
            /** @description Address that is affected. */
            address?: string;
            /** @description Transaction that is affected. */
            transaction_id?: string;
            /** @description Milliseconds of the delay. */
            delay_ms?: number;
            /** @description First attempts of each event that are affected. */
            attempts: number;
            /** @description How many more events are affected. */
            events_left?: number;
        };
        WebhookFaultList: {
            /** @description The active rules, oldest first. */
            data: components["schemas"]["WebhookFaultRule"][];
        };
        WebhookFaultRequest: {
            fault: components["schemas"]["WebhookFault"];
            /**
             * Format: uri
             * @description Scheme, host and port of callback URLs, such as `http://localhost:3000`.
             */
            address?: string;
            /** @description Only events of this transaction. */
            transaction_id?: string;
            /** @description How long `delay` waits; 5 seconds by default, at most a day. */
            delay?: components["schemas"]["Duration"];
            /** @description First attempts of each event that are affected; 1 by default. Not with `delay` and `reorder`. */
            attempts?: number;
            /** @description How many events are affected before the rule ends; all by default. */
            events?: number;
        };
        SignedEvent: {
            /** @description Callback URL. */
            url: string;
            /** @description Headers, the signature among them. */
            headers: {
                [key: string]: string;
            };
            /** @description Body, byte for byte. */
            body: string;
        };
        SampleEventsRequest: {
            /**
             * Format: uri
             * @description Address to send to.
             */
            url: string;
            /** @description Names of webhooks of the contract, such as `paymentSucceeded`; all by default. */
            events?: string[];
        };
        Attempt: {
            /** @description 1 for the first. */
            number: number;
            at: components["schemas"]["Timestamp"];
            /** @description How long it took in milliseconds. */
            duration_ms: number;
            /** @description HTTP status of the response; missing without a response. */
            status?: number;
            /** @description Why there was no response. */
            error?: string;
            /** @description Headers that were sent. Only a sandbox keeps them. */
            request_headers?: {
                [key: string]: string;
            };
            /** @description Beginning of the response, at most 2,048 characters. Only a sandbox keeps it. */
            response_body?: string;
            /** @description Simulated fault, in a sandbox. */
            fault?: string;
        };
        SampleResults: {
            /** @description One result for each event. */
            data: {
                /** @description Name of the webhook. */
                event: string;
                attempt: components["schemas"]["Attempt"];
            }[];
        };
        CreateMerchantRequest: {
            /** @description `Test Shop` by default. */
            name?: string;
            /** @description Money in its wallets by currency, in minor units. */
            available?: {
                [key: string]: number;
            };
        };
        NewMerchant: {
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Its name. */
            name: string;
            /**
             * Format: password
             * @description API key; it is shown only here.
             */
            key: string;
            /**
             * Format: password
             * @description Signing secret of its webhooks.
             */
            secret: string;
            /** @description Time at which the merchant is deleted; absent if it stays. */
            expires_at?: components["schemas"]["Timestamp"];
        };
        Credentials: {
            /** @description API keys that are not revoked. */
            keys: {
                /** @description Identifier of the key. */
                id: string;
                /** @description The last characters of the key. */
                hint: string;
                /** @description The key of the demo merchant. Other keys are stored as a hash and shown once. */
                key?: string;
            }[];
            /** @description Signing secrets that are valid now, the newest first. */
            secrets: string[];
        };
        Merchant: {
            /** @description Number of the merchant. */
            id: number;
            /** @description Its name. */
            name: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Time at which it was disabled; missing while its API keys are accepted. */
            disabled_at?: components["schemas"]["Timestamp"];
        };
        ConsoleLink: {
            /**
             * Format: password
             * @description Address that opens the console once.
             */
            url: string;
            expires_at: components["schemas"]["Timestamp"];
        };
    };
    responses: {
        /** @description Another problem, such as a missing key. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The payment as it is now, as `getPayment` returns it. */
        Payment: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Payment"];
            };
        };
        /** @description The request is invalid; nothing has changed. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description There is nothing with this identifier, or the key has no access to it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The event is not legal in the present state. Nothing has changed. */
        IllegalEvent: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IllegalEventProblem"];
            };
        };
        /** @description The payout as it is now, as `getPayout` returns it. */
        Payout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Payout"];
            };
        };
        /** @description The merchant's time. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description The balance as it is now, as `getBalance` returns it. */
        Balance: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Balance"];
            };
        };
        /** @description Done; there is nothing to return. */
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description Identifier of the transaction. */
        TransactionId: string;
        /** @description Whether the method is one of payments or of payouts. */
        Kind: "payment" | "payout";
        /** @description A `payment_method_type`. */
        Method: string;
        /** @description Currency of the wallet. */
        Currency: components["schemas"]["Currency"];
        /** @description The customer's `id` in your requests. */
        CustomerId: string;
        /** @description Identifier of the rule. */
        RuleId: string;
        /** @description Identifier of the event; the webhook carries it as `webhook-id`. */
        EventId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AskForDataRequest = components['schemas']['AskForDataRequest'];
export type Violation = components['schemas']['Violation'];
export type Problem = components['schemas']['Problem'];
export type TransactionId = components['schemas']['TransactionId'];
export type EchoedOrderId = components['schemas']['EchoedOrderId'];
export type Amount = components['schemas']['Amount'];
export type Currency = components['schemas']['Currency'];
export type EchoedPaymentMethod = components['schemas']['EchoedPaymentMethod'];
export type CreatedAt = components['schemas']['CreatedAt'];
export type PaymentCreated = components['schemas']['PaymentCreated'];
export type DataItemName = components['schemas']['DataItemName'];
export type PaymentExtraDataNeeded = components['schemas']['PaymentExtraDataNeeded'];
export type PayData = components['schemas']['PayData'];
export type ConfirmItemName = components['schemas']['ConfirmItemName'];
export type PaymentConfirmationNeeded = components['schemas']['PaymentConfirmationNeeded'];
export type PaymentVerifying = components['schemas']['PaymentVerifying'];
export type AmountPaid = components['schemas']['AmountPaid'];
export type FinalizedAt = components['schemas']['FinalizedAt'];
export type PaymentSucceeded = components['schemas']['PaymentSucceeded'];
export type PaymentDeclineReason = components['schemas']['PaymentDeclineReason'];
export type PaymentFailed = components['schemas']['PaymentFailed'];
export type Payment = components['schemas']['Payment'];
export type ValidationProblem = components['schemas']['ValidationProblem'];
export type IllegalEventProblem = components['schemas']['IllegalEventProblem'];
export type AskForConfirmationRequest = components['schemas']['AskForConfirmationRequest'];
export type SucceedPaymentRequest = components['schemas']['SucceedPaymentRequest'];
export type DeclinePaymentRequest = components['schemas']['DeclinePaymentRequest'];
export type PayoutProcessing = components['schemas']['PayoutProcessing'];
export type PayoutSucceeded = components['schemas']['PayoutSucceeded'];
export type PayoutDeclineReason = components['schemas']['PayoutDeclineReason'];
export type PayoutFailed = components['schemas']['PayoutFailed'];
export type Payout = components['schemas']['Payout'];
export type DeclinePayoutRequest = components['schemas']['DeclinePayoutRequest'];
export type Timestamp = components['schemas']['Timestamp'];
export type SignatureTime = components['schemas']['SignatureTime'];
export type Clock = components['schemas']['Clock'];
export type Duration = components['schemas']['Duration'];
export type AdvanceClockRequest = components['schemas']['AdvanceClockRequest'];
export type FreezeClockRequest = components['schemas']['FreezeClockRequest'];
export type SetSignatureTimeRequest = components['schemas']['SetSignatureTimeRequest'];
export type Condition = components['schemas']['Condition'];
export type Channel = components['schemas']['Channel'];
export type ChannelList = components['schemas']['ChannelList'];
export type SetChannelRequest = components['schemas']['SetChannelRequest'];
export type FundWalletRequest = components['schemas']['FundWalletRequest'];
export type CurrencyBalance = components['schemas']['CurrencyBalance'];
export type Balance = components['schemas']['Balance'];
export type DrainWalletRequest = components['schemas']['DrainWalletRequest'];
export type BlockCustomerRequest = components['schemas']['BlockCustomerRequest'];
export type UseLimitsRequest = components['schemas']['UseLimitsRequest'];
export type TestDatum = components['schemas']['TestDatum'];
export type TestDataList = components['schemas']['TestDataList'];
export type ChaosFault = components['schemas']['ChaosFault'];
export type ChaosRule = components['schemas']['ChaosRule'];
export type ChaosList = components['schemas']['ChaosList'];
export type ChaosRequest = components['schemas']['ChaosRequest'];
export type WebhookFault = components['schemas']['WebhookFault'];
export type WebhookFaultRule = components['schemas']['WebhookFaultRule'];
export type WebhookFaultList = components['schemas']['WebhookFaultList'];
export type WebhookFaultRequest = components['schemas']['WebhookFaultRequest'];
export type SignedEvent = components['schemas']['SignedEvent'];
export type SampleEventsRequest = components['schemas']['SampleEventsRequest'];
export type Attempt = components['schemas']['Attempt'];
export type SampleResults = components['schemas']['SampleResults'];
export type CreateMerchantRequest = components['schemas']['CreateMerchantRequest'];
export type NewMerchant = components['schemas']['NewMerchant'];
export type Credentials = components['schemas']['Credentials'];
export type Merchant = components['schemas']['Merchant'];
export type ConsoleLink = components['schemas']['ConsoleLink'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponsePayment = components['responses']['Payment'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseIllegalEvent = components['responses']['IllegalEvent'];
export type ResponsePayout = components['responses']['Payout'];
export type ResponseClock = components['responses']['Clock'];
export type ResponseBalance = components['responses']['Balance'];
export type ResponseDone = components['responses']['Done'];
export type ParameterTransactionId = components['parameters']['TransactionId'];
export type ParameterKind = components['parameters']['Kind'];
export type ParameterMethod = components['parameters']['Method'];
export type ParameterCurrency = components['parameters']['Currency'];
export type ParameterCustomerId = components['parameters']['CustomerId'];
export type ParameterRuleId = components['parameters']['RuleId'];
export type ParameterEventId = components['parameters']['EventId'];
export type $defs = Record<string, never>;
export interface operations {
    askForPaymentData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskForDataRequest"];
            };
        };
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    askForPaymentConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskForConfirmationRequest"];
            };
        };
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    payPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    succeedPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SucceedPaymentRequest"];
            };
        };
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    settlePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    declinePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeclinePaymentRequest"];
            };
        };
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    expirePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payment"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    succeedPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    declinePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the transaction. */
                transaction_id: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeclinePayoutRequest"];
            };
        };
        responses: {
            200: components["responses"]["Payout"];
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IllegalEvent"];
            default: components["responses"]["Problem"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    freezeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FreezeClockRequest"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    releaseClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    setSignatureTime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSignatureTimeRequest"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whether the method is one of payments or of payouts. */
                kind: components["parameters"]["Kind"];
                /** @description A `payment_method_type`. */
                method: components["parameters"]["Method"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetChannelRequest"];
            };
        };
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    fundWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Currency of the wallet. */
                currency: components["parameters"]["Currency"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FundWalletRequest"];
            };
        };
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    drainWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Currency of the wallet. */
                currency: components["parameters"]["Currency"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DrainWalletRequest"];
            };
        };
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    blockCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The customer's `id` in your requests. */
                customer_id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BlockCustomerRequest"];
            };
        };
        responses: {
            204: components["responses"]["Done"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    unblockCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The customer's `id` in your requests. */
                customer_id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    useCustomerLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The customer's `id` in your requests. */
                customer_id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseLimitsRequest"];
            };
        };
        responses: {
            204: components["responses"]["Done"];
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listTestData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDataList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listChaos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChaosList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addChaos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChaosRequest"];
            };
        };
        responses: {
            /** @description The rule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChaosRule"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    clearChaos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    removeChaos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the rule. */
                rule_id: components["parameters"]["RuleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhookFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookFaultList"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addWebhookFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookFaultRequest"];
            };
        };
        responses: {
            /** @description The rule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookFaultRule"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    clearWebhookFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    removeWebhookFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the rule. */
                rule_id: components["parameters"]["RuleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    signEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the event; the webhook carries it as `webhook-id`. */
                event_id: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedEvent"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    sendSampleEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SampleEventsRequest"];
            };
        };
        responses: {
            /** @description What the address responded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleResults"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    takeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            default: components["responses"]["Problem"];
        };
    };
    createMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewMerchant"];
                };
            };
            400: components["responses"]["Invalid"];
            /** @description The gateway has a `SANDBOX_KEY`, and the request lacks it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many merchants. `Retry-After` says when the next one is deleted. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Done"];
            /** @description It is the demo merchant, which can only be reset. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    resetMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createConsoleLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleLink"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
