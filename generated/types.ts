// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

export interface paths {
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a payment
         * @description Returns a payment by one of its two identifiers.
         *     Send exactly one of the two parameters.
         *     A declined payment has a payment decline reason.
         */
        get: operations["findPayment"];
        put?: never;
        /**
         * Create a payment
         * @description Creates a payment session.
         *     In the redirect flow, `return_url` is required; send the customer to the `redirect_url` of the response.
         *     In the H2H flow, the response can already request what is needed next.
         *     It is safe to send the same request again: it returns the same transaction and moves no money twice.
         *     A payment that cannot be made is still created; it becomes FAILED with a payment decline reason, reported by status and webhook.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment
         * @description Returns the current state of a payment.
         *     A declined payment has a payment decline reason.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{transaction_id}/clarify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clarify a payment
         * @description Supplies the customer data that an H2H payment in EXTRA_DATA_NEEDED requests.
         *     The flow then continues.
         *     Supply every item that `clarify` names in one request; otherwise the request gets 400.
         */
        post: operations["clarifyPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{transaction_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a payment
         * @description Collects the transfer reference of an H2H payment, after the customer has made the transfer and pressed 'I have paid'.
         *     The service validates the reference.
         *     `confirm_data` must contain every item that `confirm` names; otherwise the request gets 400.
         */
        post: operations["confirmPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchant/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance
         * @description Returns the available settlement balance of the merchant wallet.
         *     A currency that the wallet has never held can be missing.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a payout
         * @description Withdraws money from the merchant wallet to a bank account or local wallet.
         *     It is safe to send the same request again: it returns the same transaction and moves no money twice.
         *     A payout that cannot be made is still created; it becomes FAILED with a payout decline reason, reported by status and webhook.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{payout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payout
         * @description Returns the current state of a payout.
         *     A declined payout has a payout decline reason.
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    paymentExtraDataNeeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment needs more data
         * @description Sent when a payment needs more customer data; `clarify` names the items.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["paymentExtraDataNeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    paymentConfirmationNeeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment needs confirmation
         * @description Sent when the customer has to transfer the money and then confirm the transfer, as `pay_data` and `confirm` describe.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["paymentConfirmationNeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    paymentSucceeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment has succeeded
         * @description Sent when a payment is completed.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["paymentSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    paymentFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment has failed
         * @description Sent when a payment is declined, with a payment decline reason.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["paymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutSucceeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payout has succeeded
         * @description Sent when a payout is completed.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["payoutSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payout has failed
         * @description Sent when a payout is declined, with a payout decline reason.
         *     Respond with any 2xx status; other responses are retried.
         */
        post: operations["payoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Merchant's order reference.
         *     Unique among the merchant's payments, and among its payouts.
         */
        MerchantOrderId: string;
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
         *     It reports a request that is wrong or cannot be served; a declined transaction is not an HTTP error.
         */
        Problem: {
            /**
             * @description Kind of problem, for programs to branch on.
             *     The address of each known kind is its page in this reference.
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
        };
        /**
         * @description Identifier that the service assigns to the transaction.
         *     It is opaque; use it in the path of the operations on this transaction.
         */
        TransactionId: string;
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
         * @description Payment method.
         *     A service supports other values than UPI_IN.
         */
        PaymentMethodType: "UPI_IN" | (string & {});
        /**
         * Format: date-time
         * @description Time of creation, in ISO 8601 and UTC.
         */
        CreatedAt: string;
        /** @description Initiated payment session, as the status endpoint returns it. */
        PaymentCreated: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always CREATED here.
             * @enum {string}
             */
            status: "CREATED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /** @description Name of an item of customer data. */
        DataItemName: "name" | "phone" | "account_number" | "email" | (string & {});
        /** @description H2H payment that waits for more customer data. */
        PaymentExtraDataNeeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always EXTRA_DATA_NEEDED here.
             * @enum {string}
             */
            status: "EXTRA_DATA_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type?: components["schemas"]["PaymentMethodType"];
            payment_method?: components["schemas"]["PaymentMethodType"];
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
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always PAY_CONFIRMATION_NEEDED here.
             * @enum {string}
             */
            status: "PAY_CONFIRMATION_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type?: components["schemas"]["PaymentMethodType"];
            payment_method?: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            pay_data: components["schemas"]["PayData"];
            /** @description Names of the items that `confirm_data` must contain. */
            confirm: components["schemas"]["ConfirmItemName"][];
        };
        /** @description Confirmed payment, awaiting final settlement confirmation. */
        PaymentVerifying: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always VERIFYING here.
             * @enum {string}
             */
            status: "VERIFYING";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["PaymentMethodType"];
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
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always SUCCESS here.
             * @enum {string}
             */
            status: "SUCCESS";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            amount_paid: components["schemas"]["AmountPaid"];
            payment_method: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
        };
        /**
         * @description Reason why the payment was declined.
         *     Other values occur, such as INSUFFICIENT_FUNDS; treat an unknown value as a decline for an unknown reason.
         */
        PaymentDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INVALID_CUSTOMER_DETAILS" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "KYC_BLOCKED" | "TIMEOUT_EXPIRED" | "INTERNAL_ERROR" | (string & {});
        /** @description Declined payment, with the reason. */
        PaymentFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always FAILED here.
             * @enum {string}
             */
            status: "FAILED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
            decline_reason: components["schemas"]["PaymentDeclineReason"];
        };
        /**
         * @description Payment; `status` selects the shape.
         *     Each status has its own fields.
         */
        Payment: components["schemas"]["PaymentCreated"] | components["schemas"]["PaymentExtraDataNeeded"] | components["schemas"]["PaymentConfirmationNeeded"] | components["schemas"]["PaymentVerifying"] | components["schemas"]["PaymentSucceeded"] | components["schemas"]["PaymentFailed"];
        /** @description Unique identifier of the customer in the merchant's system. */
        CustomerId: string;
        /** @description Name of the customer. */
        CustomerName: string;
        /**
         * Format: email
         * @description E-mail address of the customer.
         */
        CustomerEmail: string;
        /** @description Phone number of the customer in international format, with its leading plus sign, such as `+91 98123 45671`. */
        CustomerPhone: string;
        /**
         * @description Merchant's trust level for the customer.
         *     Payments of a TRUSTED customer can be routed separately, to more reliable channels.
         */
        KycLevel: "TRUSTED" | (string & {});
        /**
         * @description Customer who pays.
         *     If a method needs more than the ID, the missing data is requested with EXTRA_DATA_NEEDED, or the payment is declined with INVALID_CUSTOMER_DETAILS.
         */
        PaymentCustomer: {
            id: components["schemas"]["CustomerId"];
            name?: components["schemas"]["CustomerName"];
            email?: components["schemas"]["CustomerEmail"];
            phone?: components["schemas"]["CustomerPhone"];
            kyc_level?: components["schemas"]["KycLevel"];
        };
        /**
         * Format: uri
         * @description Address that the customer returns to from the payment page.
         *     Required for the redirect flow, optional for H2H.
         */
        ReturnUrl: string;
        /**
         * Format: uri
         * @description Address of the merchant's endpoint that receives the transaction's webhooks.
         */
        CallbackUrl: string;
        /** @description Request to create a payment. */
        CreatePaymentRequest: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            customer: components["schemas"]["PaymentCustomer"];
            payment_method_type: components["schemas"]["PaymentMethodType"];
            return_url?: components["schemas"]["ReturnUrl"];
            callback_url: components["schemas"]["CallbackUrl"];
        };
        /**
         * Format: uri
         * @description Payment page to send the customer to.
         *     Present only in the redirect flow.
         */
        RedirectUrl: string;
        /**
         * @description Initiated payment session, as createPayment returns it.
         *     `redirect_url` is present only in the redirect flow.
         */
        PaymentSession: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always CREATED here.
             * @enum {string}
             */
            status: "CREATED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            redirect_url?: components["schemas"]["RedirectUrl"];
        };
        /**
         * @description Payment that was declined when it was created.
         *     Accept it from any service; the gateway of this kit declines later, by status and webhook.
         */
        PaymentDeclinedAtOnce: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always FAILED here.
             * @enum {string}
             */
            status: "FAILED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type?: components["schemas"]["PaymentMethodType"];
            payment_method?: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at?: components["schemas"]["FinalizedAt"];
            decline_reason: components["schemas"]["PaymentDeclineReason"];
        };
        /**
         * @description Payment as `createPayment` returns it; `status` selects the shape.
         *     The shape depends on the flow.
         */
        PaymentCreation: components["schemas"]["PaymentSession"] | components["schemas"]["PaymentExtraDataNeeded"] | components["schemas"]["PaymentConfirmationNeeded"] | components["schemas"]["PaymentDeclinedAtOnce"];
        /** @description Known items of customer data, each as a string. */
        ClarifyItems: {
            name?: components["schemas"]["CustomerName"];
            phone?: components["schemas"]["CustomerPhone"];
            /** @description Account from which the customer pays. */
            account_number?: string;
            email?: components["schemas"]["CustomerEmail"];
        };
        /** @description Request to supply customer data. */
        ClarifyPaymentRequest: {
            /** @description Requested items, by the names that `clarify` lists, each as a string. */
            clarify_data: components["schemas"]["ClarifyItems"] & {
                [key: string]: string;
            };
        };
        /** @description Known items of a confirmation, each as a string. */
        ConfirmItems: {
            /** @description Transferred amount in minor units, written as a string. */
            amount?: string;
            /** @description Reference of the customer's transfer. */
            tid?: string;
        };
        /** @description Transfer details from a customer who has made the transfer and pressed 'I have paid'. */
        ConfirmPaymentRequest: {
            /**
             * @description Every item that `confirm` lists, each as a string.
             *     The items depend on the payment method.
             */
            confirm_data: components["schemas"]["ConfirmItems"] & {
                [key: string]: string;
            };
        };
        /** @description Result of the confirmation. */
        PaymentConfirmation: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payment, always VERIFYING here.
             * @constant
             */
            status: "VERIFYING";
            /** @description Human-readable text, saying that the reference was validated and final settlement confirmation is awaited. */
            message: string;
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
        /**
         * @description Recipient of the payout, with the account that receives the money.
         *     If a method needs more than the ID and it is missing, the payout is declined with INVALID_ACCOUNT_DETAILS.
         */
        PayoutCustomer: {
            id: components["schemas"]["CustomerId"];
            name?: components["schemas"]["CustomerName"];
            email?: components["schemas"]["CustomerEmail"];
            phone?: components["schemas"]["CustomerPhone"];
            /** @description Account of the recipient, such as a UPI-style or IMPS-style identifier. */
            account_number?: string;
            /** @description Code of the recipient's bank. */
            bank_code?: string;
            /** @description Name of the recipient's bank. */
            bank_name?: string;
            /** @description Branch of the recipient's bank. */
            bank_branch?: string;
            kyc_level?: components["schemas"]["KycLevel"];
        };
        /**
         * @description Payout method.
         *     A service supports other values than IMPS_IN.
         */
        PayoutMethodType: "IMPS_IN" | (string & {});
        /** @description Request to create a payout. */
        CreatePayoutRequest: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            customer: components["schemas"]["PayoutCustomer"];
            payment_method_type: components["schemas"]["PayoutMethodType"];
            callback_url: components["schemas"]["CallbackUrl"];
        };
        /** @description Payout that is being processed. */
        PayoutProcessing: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payout, always PROCESSING here.
             * @enum {string}
             */
            status: "PROCESSING";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /**
         * @description Reason why the payout was declined.
         *     Other values occur, such as INVALID_ACCOUNT_NUMBER; treat an unknown value as a decline for an unknown reason.
         */
        PayoutDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INSUFFICIENT_BALANCE" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "FRAUD_SUSPECTED" | "INTERNAL_ERROR" | (string & {});
        /** @description Declined payout, with the reason. */
        PayoutFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payout, always FAILED here.
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
         * @description Payout as `createPayout` returns it; `status` selects the shape.
         *     Accept FAILED from any service; the gateway of this kit declines later, by status and webhook.
         */
        PayoutCreation: components["schemas"]["PayoutProcessing"] | components["schemas"]["PayoutFailed"];
        /** @description Completed payout. */
        PayoutSucceeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description Status of the payout, always SUCCESS here.
             * @enum {string}
             */
            status: "SUCCESS";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
        };
        /**
         * @description Payout; `status` selects the shape.
         *     A payout has no payment method field.
         */
        Payout: components["schemas"]["PayoutProcessing"] | components["schemas"]["PayoutSucceeded"] | components["schemas"]["PayoutFailed"];
    };
    responses: {
        /**
         * @description A status that this contract does not list, such as 403 or 502 from a proxy in front of the service.
         *     The body can be a problem, or anything else.
         */
        Unexpected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The query is invalid. */
        InvalidQuery: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing or unknown. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No payment of the merchant has this ID. */
        PaymentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unexpected error. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is overloaded or shutting down. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is invalid; nothing has changed. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant_order_id was used with another body; nothing has changed. */
        OrderIdReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than the service accepts. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The ID is invalid. */
        InvalidPaymentId: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The payment is in another state; nothing has changed. */
        WrongState: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The query has an unknown parameter. */
        UnknownParameter: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The ID is invalid. */
        InvalidPayoutId: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No payout of the merchant has this ID. */
        PayoutNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Signature of the event, made with the merchant's signing secret.
         *     Verify it before you use anything in the body.
         */
        BrandSignature: string;
        /**
         * @description Identifier of the event, the same for every delivery attempt.
         *     Store it to ignore duplicates.
         */
        WebhookId: string;
        /**
         * @description Time of the attempt, in seconds since 1970 in UTC.
         *     Reject a timestamp that differs from your clock by more than 5 minutes.
         */
        WebhookTimestamp: string;
        /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifier of the request; quote it to support. */
        RequestId: string;
        /** @description Authentication scheme to use. */
        WwwAuthenticate: string;
        /**
         * @description Remaining quota of the limit that applies, as a structured field.
         *     `r` is the number of requests that are left and `t` the number of seconds until more are allowed.
         */
        RateLimit: string;
        /**
         * @description Limit that applies, as a structured field.
         *     `q` is the number of requests and `w` the number of seconds in which they are allowed.
         */
        RateLimitPolicy: string;
        /** @description Time to wait before you send the request again, in seconds or as an HTTP date. */
        RetryAfter: number | string;
    };
    pathItems: never;
}
export type MerchantOrderId = components['schemas']['MerchantOrderId'];
export type Violation = components['schemas']['Violation'];
export type Problem = components['schemas']['Problem'];
export type TransactionId = components['schemas']['TransactionId'];
export type Amount = components['schemas']['Amount'];
export type Currency = components['schemas']['Currency'];
export type PaymentMethodType = components['schemas']['PaymentMethodType'];
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
export type CustomerId = components['schemas']['CustomerId'];
export type CustomerName = components['schemas']['CustomerName'];
export type CustomerEmail = components['schemas']['CustomerEmail'];
export type CustomerPhone = components['schemas']['CustomerPhone'];
export type KycLevel = components['schemas']['KycLevel'];
export type PaymentCustomer = components['schemas']['PaymentCustomer'];
export type ReturnUrl = components['schemas']['ReturnUrl'];
export type CallbackUrl = components['schemas']['CallbackUrl'];
export type CreatePaymentRequest = components['schemas']['CreatePaymentRequest'];
export type RedirectUrl = components['schemas']['RedirectUrl'];
export type PaymentSession = components['schemas']['PaymentSession'];
export type PaymentDeclinedAtOnce = components['schemas']['PaymentDeclinedAtOnce'];
export type PaymentCreation = components['schemas']['PaymentCreation'];
export type ClarifyItems = components['schemas']['ClarifyItems'];
export type ClarifyPaymentRequest = components['schemas']['ClarifyPaymentRequest'];
export type ConfirmItems = components['schemas']['ConfirmItems'];
export type ConfirmPaymentRequest = components['schemas']['ConfirmPaymentRequest'];
export type PaymentConfirmation = components['schemas']['PaymentConfirmation'];
export type CurrencyBalance = components['schemas']['CurrencyBalance'];
export type Balance = components['schemas']['Balance'];
export type PayoutCustomer = components['schemas']['PayoutCustomer'];
export type PayoutMethodType = components['schemas']['PayoutMethodType'];
export type CreatePayoutRequest = components['schemas']['CreatePayoutRequest'];
export type PayoutProcessing = components['schemas']['PayoutProcessing'];
export type PayoutDeclineReason = components['schemas']['PayoutDeclineReason'];
export type PayoutFailed = components['schemas']['PayoutFailed'];
export type PayoutCreation = components['schemas']['PayoutCreation'];
export type PayoutSucceeded = components['schemas']['PayoutSucceeded'];
export type Payout = components['schemas']['Payout'];
export type ResponseUnexpected = components['responses']['Unexpected'];
export type ResponseInvalidQuery = components['responses']['InvalidQuery'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponsePaymentNotFound = components['responses']['PaymentNotFound'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseInvalidBody = components['responses']['InvalidBody'];
export type ResponseOrderIdReused = components['responses']['OrderIdReused'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseInvalidPaymentId = components['responses']['InvalidPaymentId'];
export type ResponseWrongState = components['responses']['WrongState'];
export type ResponseUnknownParameter = components['responses']['UnknownParameter'];
export type ResponseInvalidPayoutId = components['responses']['InvalidPayoutId'];
export type ResponsePayoutNotFound = components['responses']['PayoutNotFound'];
export type ParameterBrandSignature = components['parameters']['BrandSignature'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    findPayment: {
        parameters: {
            query?: {
                /** @description Identifier that the service assigned to the payment. */
                transaction_id?: string;
                /** @description Merchant's reference of the order. */
                merchant_order_id?: components["schemas"]["MerchantOrderId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment session, or what the payment needs next. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentCreation"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["OrderIdReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned to the payment. */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["InvalidPaymentId"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    clarifyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned to the payment. */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClarifyPaymentRequest"];
            };
        };
        responses: {
            /** @description The payment, with what it needs next. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            409: components["responses"]["WrongState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    confirmPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned to the payment. */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPaymentRequest"];
            };
        };
        responses: {
            /** @description The reference was validated; awaiting settlement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentConfirmation"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            409: components["responses"]["WrongState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance of the wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            400: components["responses"]["UnknownParameter"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayoutRequest"];
            };
        };
        responses: {
            /** @description The payout is being processed. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutCreation"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["OrderIdReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the payout, which is its `transaction_id`. */
                payout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["InvalidPayoutId"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PayoutNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    paymentExtraDataNeeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentExtraDataNeeded"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    paymentConfirmationNeeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentConfirmationNeeded"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    paymentSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSucceeded"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    paymentFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentFailed"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    payoutSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutSucceeded"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    payoutFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before you use anything in the body.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same for every delivery attempt.
                 *     Store it to ignore duplicates.
                 */
                "webhook-id"?: components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Reject a timestamp that differs from your clock by more than 5 minutes.
                 */
                "webhook-timestamp"?: components["parameters"]["WebhookTimestamp"];
                /** @description Same value as the branded header, under the name that Standard Webhooks libraries read. */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutFailed"];
            };
        };
        responses: {
            /** @description The address is gone; the service stops sending events to it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
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
