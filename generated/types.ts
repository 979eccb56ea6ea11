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
         * @description Returns the payment that one of the two identifiers belongs to.
         *     Give exactly one of them.
         *     A declined payment has one of the payment decline reasons.
         */
        get: operations["findPayment"];
        put?: never;
        /**
         * Create a payment
         * @description Creates a payment session.
         *     In the redirect flow the answer has `redirect_url`, to which the customer is sent; `return_url` is required for it.
         *     Host to host, the answer may already say what is needed next.
         *     The same request again gets the same answer and moves no money twice.
         *     A payment that cannot be made is still created; it fails by status and webhook, with one of the payment decline reasons.
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
         * @description Returns the payment as it stands.
         *     A declined payment has one of the payment decline reasons.
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
         * @description Supplies the customer data that a payment in EXTRA_DATA_NEEDED asks for, host to host.
         *     The flow continues with it.
         *     `clarify_data` must hold every item that `clarify` names; one that is missing gets 400.
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
         * @description Collects the transfer reference after the customer has paid and pressed 'I have paid', host to host.
         *     The reference is validated.
         *     `confirm_data` must hold every item that `confirm` names; one that is missing gets 400.
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
         *     A currency that the wallet has never held may be left out.
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
         * @description Withdraws money from the merchant wallet to a bank account or a local wallet.
         *     The same request again gets the same answer and moves no money twice.
         *     A payout that cannot be made is still created; it fails by status and webhook, with one of the payout decline reasons.
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
         * @description Returns the payout as it stands.
         *     A declined payout has one of the payout decline reasons.
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
         * @description Sent when a payment needs more data of the customer; `clarify` names the items.
         *     Answer with any 2xx; everything else is tried again.
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
         * Payment needs a confirmation
         * @description Sent when the customer has to transfer the money and then confirm; `pay_data` and `confirm` say how.
         *     Answer with any 2xx; everything else is tried again.
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
         *     Answer with any 2xx; everything else is tried again.
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
         * @description Sent when a payment is declined, with one of the payment decline reasons.
         *     Answer with any 2xx; everything else is tried again.
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
         *     Answer with any 2xx; everything else is tried again.
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
         * @description Sent when a payout is declined, with one of the payout decline reasons.
         *     Answer with any 2xx; everything else is tried again.
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
         * @description Identifier that the service assigned to the transaction.
         *     It is opaque, and stands in the path of the calls about this transaction.
         */
        TransactionId: string;
        /**
         * @description Merchant's own reference of the order.
         *     Unique among the merchant's payments, and among its payouts.
         */
        MerchantOrderId: string;
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
         * @description Method by which the customer pays.
         *     UPI_IN is the only value that is certain; a service has others.
         */
        PaymentMethodType: "UPI_IN" | (string & {});
        /**
         * Format: date-time
         * @description Time of the creation, ISO 8601 in UTC.
         */
        CreatedAt: string;
        /** @description Payment session that has been initiated, as the status endpoint shows it. */
        PaymentCreated: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always CREATED here.
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
        /** @description Payment that waits for more data of the customer, host to host. */
        PaymentExtraDataNeeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always EXTRA_DATA_NEEDED here.
             * @enum {string}
             */
            status: "EXTRA_DATA_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type: components["schemas"]["PaymentMethodType"];
            payment_method: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            /** @description Names of the data items that clarifyPayment must supply. */
            clarify: components["schemas"]["DataItemName"][];
        };
        /** @description Where the customer transfers the money to, and which amounts are possible. */
        PayData: {
            /** @description Account to which the customer transfers the money. */
            receiver_account: string;
            /** @description Amounts from which the payer can choose, in minor units of the currency. */
            available_amounts: number[];
        };
        /**
         * @description Name of an item that `confirm_data` must contain.
         *     Which items these are depends on the payment method.
         */
        ConfirmItemName: "amount" | "tid" | (string & {});
        /** @description Payment that waits until the customer has transferred the money and confirmed it, host to host. */
        PaymentConfirmationNeeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always PAY_CONFIRMATION_NEEDED here.
             * @enum {string}
             */
            status: "PAY_CONFIRMATION_NEEDED";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payment_method_type: components["schemas"]["PaymentMethodType"];
            payment_method: components["schemas"]["PaymentMethodType"];
            created_at: components["schemas"]["CreatedAt"];
            pay_data: components["schemas"]["PayData"];
            /** @description Names of the items that `confirm_data` must contain. */
            confirm: components["schemas"]["ConfirmItemName"][];
        };
        /** @description Payment that has been confirmed and awaits the final settlement confirmation. */
        PaymentVerifying: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always VERIFYING here.
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
         * @description Amount that was actually paid, in minor units of the currency.
         */
        AmountPaid: number;
        /**
         * Format: date-time
         * @description Time at which the transaction reached SUCCESS or FAILED, ISO 8601 in UTC.
         */
        FinalizedAt: string;
        /** @description Payment that is completed. */
        PaymentSucceeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always SUCCESS here.
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
         * @description Reason for which the payment was declined.
         *     Values outside the table occur, such as INSUFFICIENT_FUNDS; treat them like a decline whose reason is not known.
         */
        PaymentDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INVALID_CUSTOMER_DETAILS" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "KYC_BLOCKED" | "TIMEOUT_EXPIRED" | "INTERNAL_ERROR" | (string & {});
        /** @description Payment that is declined, with the reason. */
        PaymentFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always FAILED here.
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
         * @description Payment as it stands, told apart by `status`.
         *     Each status has its own fields.
         */
        Payment: components["schemas"]["PaymentCreated"] | components["schemas"]["PaymentExtraDataNeeded"] | components["schemas"]["PaymentConfirmationNeeded"] | components["schemas"]["PaymentVerifying"] | components["schemas"]["PaymentSucceeded"] | components["schemas"]["PaymentFailed"];
        /** @description One thing that is wrong with a request. */
        Violation: {
            /**
             * @description Part of the request that is wrong.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header";
            /** @description JSON pointer into that part, empty for the whole of it. */
            pointer: string;
            /** @description Text on what is wrong and what is allowed. */
            message: string;
        };
        /**
         * @description HTTP error in the form of RFC 9457.
         *     It says that the call was wrong or could not be served; a declined transaction is no HTTP error.
         */
        Problem: {
            /**
             * Format: uri
             * @description Identifier of the kind of problem, stable for programs to branch on.
             */
            type: string;
            /** @description Short text on the kind of problem, the same at each occurrence. */
            title: string;
            /** @description HTTP status code of the answer. */
            status: number;
            /** @description Text on this occurrence, with what to do next. */
            detail?: string;
            /** @description Identifier of the request, to be quoted to support. */
            request_id?: string;
            /** @description Everything that is wrong with the request; present with status 400. */
            violations?: components["schemas"]["Violation"][];
        };
        /** @description Unique identifier of the customer on the merchant's side. */
        CustomerId: string;
        /** @description Name of the customer. */
        CustomerName: string;
        /**
         * Format: email
         * @description E-mail address of the customer.
         */
        CustomerEmail: string;
        /** @description Phone number of the customer in international format, with its leading plus sign. */
        CustomerPhone: string;
        /**
         * @description Level of trust that the merchant gives the customer.
         *     TRUSTED lets the service route the customer's payments separately, to more reliable channels.
         */
        KycLevel: "TRUSTED" | (string & {});
        /**
         * @description Customer who pays.
         *     A method may need more than the id; what is missing shows as EXTRA_DATA_NEEDED or as INVALID_CUSTOMER_DETAILS.
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
         * @description Address to which the customer returns from the payment page.
         *     Required for the redirect flow, optional for host to host.
         */
        ReturnUrl: string;
        /**
         * Format: uri
         * @description Address of the merchant that receives the transaction's webhooks.
         */
        CallbackUrl: string;
        /** @description What a payment is created from. */
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
         * @description Payment page to which the customer is sent.
         *     Present only in the redirect flow.
         */
        RedirectUrl: string;
        /**
         * @description Payment session that has been initiated, as the creation answers it.
         *     It has `redirect_url` in the redirect flow and not in the other.
         */
        PaymentSession: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always CREATED here.
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
         * @description Answer of the creation, told apart by `status`.
         *     Its shape depends on the flow of the method.
         */
        PaymentCreation: components["schemas"]["PaymentSession"] | components["schemas"]["PaymentExtraDataNeeded"] | components["schemas"]["PaymentConfirmationNeeded"];
        /** @description Customer data that the payment was waiting for. */
        ClarifyPaymentRequest: {
            /** @description Requested items by the names that `clarify` lists, each as a string. */
            clarify_data: {
                name?: components["schemas"]["CustomerName"];
                phone?: components["schemas"]["CustomerPhone"];
                /** @description Account from which the customer pays. */
                account_number?: string;
                email?: components["schemas"]["CustomerEmail"];
            } & {
                [key: string]: string;
            };
        };
        /** @description What the customer gives after the transfer has been made and 'I have paid' has been pressed. */
        ConfirmPaymentRequest: {
            /**
             * @description Every item that `confirm` lists, each as a string.
             *     Which items these are depends on the payment method.
             */
            confirm_data: {
                /** @description Transferred amount in minor units, written as a string. */
                amount?: string;
                /** @description Reference of the customer's transfer. */
                tid?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description Answer of the confirmation. */
        PaymentConfirmation: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payment, always VERIFYING here.
             * @constant
             */
            status: "VERIFYING";
            /** @description Text for people, saying that the reference was validated and final settlement confirmation is awaited. */
            message: string;
        };
        /** @description Balance of the wallet in one currency. */
        CurrencyBalance: {
            /**
             * Format: int64
             * @description Amount that payouts can take, in minor units of the currency.
             */
            available: number;
            /**
             * Format: int64
             * @description Amount that is collected but not yet settled, in minor units of the currency.
             */
            pending: number;
            currency: components["schemas"]["Currency"];
        };
        /** @description Settlement balance of the merchant wallet. */
        Balance: {
            /**
             * Format: int64
             * @description Identifier of the merchant.
             */
            merchant_id: number;
            /** @description Balances of the wallet, one entry for each currency. */
            balances: components["schemas"]["CurrencyBalance"][];
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC.
             */
            last_updated_at: string;
        };
        /**
         * @description Customer who is paid out, with the account that receives the money.
         *     A method may need more than the id; what is missing shows as INVALID_ACCOUNT_DETAILS.
         */
        PayoutCustomer: {
            id: components["schemas"]["CustomerId"];
            name?: components["schemas"]["CustomerName"];
            email?: components["schemas"]["CustomerEmail"];
            phone?: components["schemas"]["CustomerPhone"];
            /** @description Account of the recipient; identifiers in the style of UPI and of IMPS occur. */
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
         * @description Method by which the recipient is paid.
         *     IMPS_IN is the only value that is certain; a service has others.
         */
        PayoutMethodType: "IMPS_IN" | (string & {});
        /** @description What a payout is created from. */
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
             * @description State of the payout, always PROCESSING here.
             * @enum {string}
             */
            status: "PROCESSING";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
        };
        /** @description Payout that is completed. */
        PayoutSucceeded: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payout, always SUCCESS here.
             * @enum {string}
             */
            status: "SUCCESS";
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            created_at: components["schemas"]["CreatedAt"];
            finalized_at: components["schemas"]["FinalizedAt"];
        };
        /**
         * @description Reason for which the payout was declined.
         *     Values outside the table occur, such as INVALID_ACCOUNT_NUMBER; treat them like a decline whose reason is not known.
         */
        PayoutDeclineReason: "CURRENCY_NOT_SUPPORTED" | "METHOD_NOT_SUPPORTED" | "INVALID_AMOUNT" | "INVALID_ACCOUNT_DETAILS" | "INSUFFICIENT_BALANCE" | "LIMIT_EXCEEDED" | "CHANNEL_DOWN" | "CHANNEL_OVERLOADED" | "BANK_REJECTED" | "FRAUD_SUSPECTED" | "INTERNAL_ERROR" | (string & {});
        /** @description Payout that is declined, with the reason. */
        PayoutFailed: {
            transaction_id: components["schemas"]["TransactionId"];
            merchant_order_id: components["schemas"]["MerchantOrderId"];
            /**
             * @description State of the payout, always FAILED here.
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
         * @description Payout as it stands, told apart by `status`.
         *     No status has a payment method.
         */
        Payout: components["schemas"]["PayoutProcessing"] | components["schemas"]["PayoutSucceeded"] | components["schemas"]["PayoutFailed"];
    };
    responses: {
        /** @description The query is not valid. */
        InvalidQuery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing or not known. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant has no such payment. */
        PaymentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There were too many calls. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service met an unexpected error. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is overloaded or being stopped. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is not valid; nothing has changed. */
        InvalidBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant_order_id was used with another body; nothing has changed. */
        OrderIdReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than the service takes. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The id is not valid. */
        InvalidPaymentId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The payment does not wait for this action; nothing has changed. */
        WrongState: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The query has a parameter that the operation does not have. */
        UnknownParameter: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The id is not valid. */
        InvalidPayoutId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The merchant has no such payout. */
        PayoutNotFound: {
            headers: {
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
         *     Verify it before anything in the body is used.
         */
        BrandSignature: string;
        /**
         * @description Identifier of the event, the same in all attempts to deliver it.
         *     A receiver that keeps it can drop repetitions.
         */
        WebhookId: string;
        /**
         * @description Time of the attempt, in seconds since 1970 in UTC.
         *     Refuse what is more than 5 minutes away from your clock.
         */
        WebhookTimestamp: string;
        /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Scheme by which the call has to be authenticated. */
        WwwAuthenticate: string;
        /** @description Seconds to wait before the call is made again. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type TransactionId = components['schemas']['TransactionId'];
export type MerchantOrderId = components['schemas']['MerchantOrderId'];
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
export type Violation = components['schemas']['Violation'];
export type Problem = components['schemas']['Problem'];
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
export type PaymentCreation = components['schemas']['PaymentCreation'];
export type ClarifyPaymentRequest = components['schemas']['ClarifyPaymentRequest'];
export type ConfirmPaymentRequest = components['schemas']['ConfirmPaymentRequest'];
export type PaymentConfirmation = components['schemas']['PaymentConfirmation'];
export type CurrencyBalance = components['schemas']['CurrencyBalance'];
export type Balance = components['schemas']['Balance'];
export type PayoutCustomer = components['schemas']['PayoutCustomer'];
export type PayoutMethodType = components['schemas']['PayoutMethodType'];
export type CreatePayoutRequest = components['schemas']['CreatePayoutRequest'];
export type PayoutProcessing = components['schemas']['PayoutProcessing'];
export type PayoutSucceeded = components['schemas']['PayoutSucceeded'];
export type PayoutDeclineReason = components['schemas']['PayoutDeclineReason'];
export type PayoutFailed = components['schemas']['PayoutFailed'];
export type Payout = components['schemas']['Payout'];
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
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    findPayment: {
        parameters: {
            query?: {
                /** @description Identifier that the service assigned. */
                transaction_id?: components["schemas"]["TransactionId"];
                /** @description Reference that the merchant assigned. */
                merchant_order_id?: components["schemas"]["MerchantOrderId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment as it stands. */
            200: {
                headers: {
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
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned. */
                transaction_id: components["schemas"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment as it stands. */
            200: {
                headers: {
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
        };
    };
    clarifyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned. */
                transaction_id: components["schemas"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClarifyPaymentRequest"];
            };
        };
        responses: {
            /** @description The payment with what it needs next. */
            200: {
                headers: {
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
        };
    };
    confirmPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier that the service assigned. */
                transaction_id: components["schemas"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPaymentRequest"];
            };
        };
        responses: {
            /** @description The reference was validated; the settlement is awaited. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutProcessing"];
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
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the payout, which is its `transaction_id`. */
                payout_id: components["schemas"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout as it stands. */
            200: {
                headers: {
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
        };
    };
    paymentExtraDataNeeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Signature of the event, made with the merchant's signing secret.
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
                 *     Verify it before anything in the body is used.
                 */
                "X-Gateway-Signature": components["parameters"]["BrandSignature"];
                /**
                 * @description Identifier of the event, the same in all attempts to deliver it.
                 *     A receiver that keeps it can drop repetitions.
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time of the attempt, in seconds since 1970 in UTC.
                 *     Refuse what is more than 5 minutes away from your clock.
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The value of the branded header once more, under the name that Standard Webhooks libraries read. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
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
            /** @description The address takes no events any more; deliveries to it stop. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has been received. */
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
    /** Payment needs a confirmation. */
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
/** Payload of any webhook; `status` tells payments and payouts apart only together with `transaction_id`. */
export type WebhookPayload = WebhookPayloads[WebhookName];
