// Made from gateway/management/ by `npm run build`.
// Do not edit: change its document and run it again.

export interface paths {
    "/management/caller": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the caller
         * @description Returns the merchant or the operator of the key.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Returns payments, newest first. With a seed, those of one millisecond, such as while a sandbox's clock is frozen, are in any order.
         *     Filters other than the order search 10,000 payments for each page, so a page can be short or empty although it has a
         *     `next_cursor`.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payments/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         * @description Returns a payment with its statuses, ledger entries, and webhooks with every attempt. Its merchant also gets the request
         *     that created it, and operators its channel's calls, failures, exceptions and proposals.
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
    "/management/payments/{transaction_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose the outcome of a payment
         * @description Proposes how a payment ends whose channel never says it. Nothing changes until another operator approves it. Then the
         *     payment is final, its merchant gets the webhook, and what the channel says later changes nothing.
         */
        post: operations["proposePaymentOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts
         * @description Returns payouts, newest first. With a seed, those of one millisecond, such as while a sandbox's clock is frozen, are in any order.
         *     Filters other than the order search 10,000 payouts for each page, so a page can be short or empty although it has a
         *     `next_cursor`.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payouts/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause payouts
         * @description Gives no channel new payouts, at every gateway within a second. They wait, with their money reserved, until payouts are
         *     resumed. Payments and the payouts that a channel already has continue. After the database was restored from a backup,
         *     payouts are paused until they are resumed.
         */
        post: operations["pausePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payouts/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume payouts
         * @description Gives channels new payouts again. Those that have waited follow within 30 seconds. After a restore, compare the database
         *     with the statement of each channel first: a payout that only the channel knows could be made twice.
         */
        post: operations["resumePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/payouts/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout
         * @description Returns a payout with its statuses, ledger entries, and webhooks with every attempt. Its merchant also gets the request
         *     that created it, and operators its channel's calls, failures, exceptions and proposals.
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
    "/management/payouts/{transaction_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose the outcome of a payout
         * @description Proposes how a payout ends whose channel never says it. Nothing changes until another operator approves it. Then the
         *     payout is final, its merchant gets the webhook, and what the channel says later changes nothing.
         */
        post: operations["proposePayoutOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failing and stuck transactions
         * @description Returns transactions whose last step has failed, those with the most failures in a row first. Open transactions that
         *     are stuck, because they have no next step, follow.
         */
        get: operations["listFailingTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns events, newest first.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Returns an event with its body and every attempt to deliver it: when it was, how long it took, and what came of it.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/events/{event_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend an event
         * @description Sends an event again now, with its own identifier, whether or not it was delivered, and also to a callback URL that has
         *     returned 410. This is one attempt more: the next one is due when it was before, unless this one succeeds.
         *     The response doesn't wait for the delivery. An event can be sent 100 times.
         */
        post: operations["resendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/events/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay events
         * @description Sends the abandoned events since a time again, or those in another `state`, at most 10,000. The oldest come first. What is
         *     being sent again already is left out. If an operator names no merchant, it sends the events of all merchants.
         *     The response doesn't wait for the deliveries.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description Returns the merchant's last requests, newest first, at most 1,000: those to the API, and those to the sandbox and to the
         *     management API that change something. Only a sandbox records requests.
         *     Of secrets only the last characters are kept, of personal data the first. Bodies of more than 16 KiB are left out.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a request
         * @description Returns a request with its response.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * @description Sends a server-sent event for each change, with JSON as its data. The first one, `open`, says that the stream is up.
         *     `transaction`, `event` and `request` carry the entry of their list. An event that is sent again with `resendEvent` is reported again.
         *     `attempt` has the `event_id`, `transaction_id`, `number`, `outcome` and `duration_ms` of an attempt that has ended.
         *     `settings` says that the clock, a channel, a customer or a fault was set.
         *
         *     Changes between two connections are not sent. After connecting again, read what you show again.
         *     A client that reads too slowly is disconnected, and so is every client after an hour.
         *     A stream ends within 10 seconds after its key is revoked, its session ends or its merchant is disabled.
         *
         *     A merchant can have 20 streams, and all merchants 500.
         *     When all are taken, the address with the most streams loses one to an address with fewer, and at the same address the merchant with the most.
         */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/stopped-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stopped callback URLs
         * @description Returns the callback URLs to which nothing is sent, since their endpoint has returned 410 or an operator has stopped them,
         *     in the order of the events that were the last.
         */
        get: operations["listStoppedUrls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/stopped-urls/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a callback URL
         * @description Sends nothing to a callback URL until it is resumed, such as while its receiver does harm with what it gets. Webhooks
         *     that wait, and those to come, are `stopped`: replay them afterwards.
         */
        post: operations["stopUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/stopped-urls/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a callback URL
         * @description Sends events to a stopped callback URL again, from the next one on. Replay those that were stopped.
         */
        post: operations["resumeUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List merchants
         * @description Returns the merchants by their numbers, those that are disabled too.
         */
        get: operations["listMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a merchant
         * @description Returns a merchant.
         */
        get: operations["getMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the overview
         * @description Returns a merchant's wallets, its transactions of the last 24 hours by status and hour, and its failing events.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallets
         * @description Returns the wallets of a merchant, one for each of its currencies.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger entries
         * @description Returns the entries of a wallet, newest first, with the balance after each. The balance is computed backwards from the
         *     wallet. With a seed, entries of one millisecond are in any order, and their balances follow it.
         */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Audit the ledger
         * @description Adds up the merchant's ledger and compares it with the wallets and the transactions.
         *     A merchant can have one audit in progress, and audits of several merchants wait for each other.
         */
        post: operations["auditLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/signing-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing secrets
         * @description Returns the signing secrets of a merchant, never the secrets themselves. Of expired ones, the newest few are kept.
         */
        get: operations["listSigningSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/signing-secrets/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description Makes a new secret, and returns it once. Webhooks are signed with both until the old one expires.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/signing-secrets/{secret_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a signing secret
         * @description Ends a secret within a second. The one before it, if that is still valid, stays valid until the next rotation.
         *     The only valid one is revoked by `force` alone, since webhooks can't be sent without one.
         */
        post: operations["revokeSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose a correction
         * @description Proposes an entry in the ledger of a merchant, such as the way back for money that was added by mistake. Nothing moves
         *     until another operator approves it. A debit takes what is available, and never more.
         */
        post: operations["proposeCorrection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/merchants/{merchant_id}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose an import
         * @description Proposes a payment or payout that a channel has carried out and this database doesn't know, as after the restore of a
         *     backup. Once another operator approves it, it is there with the status SUCCESS and its ledger entries, and a repeat of the
         *     order gets 409 instead of a second payout. Its merchant gets no webhook.
         */
        post: operations["proposeImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Returns the channels that this gateway was started with, and which of them are paused.
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
    "/management/channels/{channel}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a channel
         * @description Gives the channel no new transactions, at every gateway within a second. New payments are declined with `CHANNEL_DOWN`, so
         *     that their customers can pay by another method. New payouts wait, with their money reserved, until the channel is resumed.
         *     What the channel already has continues.
         */
        post: operations["pauseChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/channels/{channel}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a channel
         * @description Gives the channel new transactions again. Payouts that have waited follow within 30 seconds.
         */
        post: operations["resumeChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exceptions
         * @description Returns the transactions with an open exception, the longest open first. The first definite result of a channel decides
         *     how a transaction ends. A later one that contradicts it is an exception: it changes nothing until it is resolved.
         */
        get: operations["listExceptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/exceptions/{transaction_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose the resolution of an exception
         * @description Proposes how the open exceptions of a transaction are resolved. Nothing changes until another operator approves it. The
         *     transaction keeps its status, and its merchant gets no webhook, so notify the merchant.
         */
        post: operations["proposeExceptionResolution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List proposals
         * @description Returns the proposals, newest first.
         */
        get: operations["listProposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/proposals/{proposal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a proposal
         * @description Returns a proposal.
         */
        get: operations["getProposal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/proposals/{proposal_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a proposal
         * @description Makes the proposed change: money moves, or the transaction becomes final. Takes another operator than the one who
         *     proposed it, who gets 403.
         */
        post: operations["approveProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/proposals/{proposal_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a proposal
         * @description Closes a proposal without making its change. The operator who proposed it can withdraw it like this.
         */
        post: operations["rejectProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets of a day
         * @description Returns what happened to each wallet on a day in UTC, by merchant and currency: balances at its beginning and its end, and
         *     what moved in between. Amounts are minor units. A day is final a minute after its end.
         *     It is computed backwards from the wallets, so it can be one of the last 31 days. For earlier days, use the command
         *     `payments-gateway settlement`.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operators
         * @description Returns the operators that have or had a key, newest first, with their keys and the last use of each.
         */
        get: operations["listOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Returns the changes made with this API and by commands on the database, newest first.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
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
         * Format: date-time
         * @description Time in UTC, with milliseconds.
         */
        Timestamp: string;
        Merchant: {
            /** @description Number of the merchant. */
            id: number;
            /** @description Its name. */
            name: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Time at which it was disabled; missing while its API keys are accepted. */
            disabled_at?: components["schemas"]["Timestamp"];
        };
        /** @description Either a merchant or an operator. */
        Caller: {
            merchant?: components["schemas"]["Merchant"];
            operator?: {
                /** @description Identifier of the operator. */
                id: string;
                /** @description Its name. */
                name: string;
                /**
                 * @description Its role.
                 * @enum {string}
                 */
                role: "read" | "act" | "approve";
            };
        };
        TransactionSummary: {
            /** @description Identifier of the transaction. */
            transaction_id: string;
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description The order at the merchant. */
            merchant_order_id: string;
            /**
             * @description Whether it is a payment or a payout.
             * @enum {string}
             */
            kind: "payment" | "payout";
            /** @description Its status. */
            status: string;
            /** @description Amount in minor units. */
            amount: number;
            /** @description What was collected in minor units. */
            amount_paid?: number;
            /** @description Its currency. */
            currency: string;
            /** @description Its method. */
            payment_method_type: string;
            /** @description The customer. */
            customer_id: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Why it was declined. */
            decline_reason?: string;
        };
        TransactionList: {
            /** @description The transactions. */
            data: components["schemas"]["TransactionSummary"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
            /**
             * @description With `count=true`, the transactions that match on all pages. At most 1,000 are counted, so 1000 means that many
             *     or more; with a filter, those among the newest 10,000.
             */
            total?: number;
        };
        /** @description Problem of an invalid request, with a list of what is wrong. */
        ValidationProblem: components["schemas"]["Problem"] & {
            /**
             * @description HTTP status code, always 400 here.
             * @constant
             */
            status?: 400;
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
        StatusChange: {
            at: components["schemas"]["Timestamp"];
            /** @description The status from this time on. */
            status: string;
            /** @description What caused it, and whose doing it was. */
            cause?: string;
        };
        ChannelCall: {
            /** @description What the channel was asked: initiate, clarify, verify, cancel, payOut or verifyPayout. */
            call: string;
            at: components["schemas"]["Timestamp"];
            /**
             * @description The event that the channel returned, such as succeeded. Or ask_again: it has none yet; unavailable: it has not
             *     done it, and will not; no_response: it may have done it; invalid_result: what it returned breaks its schema, and
             *     it may have done it. Missing while the call is in flight, and permanently if its
             *     result was not written: its process ended first, or the transaction had changed by then, since another process, a
             *     notification or an operator was faster.
             */
            result?: string;
            /** @description How long it took in milliseconds; the last of several. */
            duration_ms?: number;
            /** @description Why there was no event, or why the transaction could not take it; of the last of several. */
            error?: string;
            /** @description How many calls in a row had this result. */
            times: number;
            last_at?: components["schemas"]["Timestamp"];
        };
        PostedEntry: {
            /** @description Identifier of the entry. */
            id: string;
            at: components["schemas"]["Timestamp"];
            /** @description Account that the amount left. */
            from: string;
            /** @description Account that got it. */
            to: string;
            /** @description Amount in minor units. */
            amount: number;
            /** @description Why it moved. */
            reason: string;
        };
        /**
         * @description `waiting` has an attempt to come, and `delivered` got a 2xx. `given_up` is abandoned: it has no attempt left.
         *     `stopped` is not sent any more, since its callback URL has returned 410 or an operator has stopped it.
         * @enum {string}
         */
        EventState: "waiting" | "delivered" | "given_up" | "stopped";
        EventSummary: {
            /** @description Identifier of the event. */
            id: string;
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Transaction that it is about. */
            transaction_id: string;
            /**
             * @description Whether it is about a payment or a payout.
             * @enum {string}
             */
            kind: "payment" | "payout";
            /** @description Status that it reports. */
            status: string;
            /** @description Callback URL. */
            url: string;
            created_at: components["schemas"]["Timestamp"];
            state: components["schemas"]["EventState"];
            /** @description Attempts so far. */
            attempts: number;
            next_attempt_at?: components["schemas"]["Timestamp"];
            /** @description What came of the last attempt. */
            last_result?: string;
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
        DeliveredEvent: components["schemas"]["EventSummary"] & {
            /** @description The attempts, in order; at least the first 100 are kept. */
            deliveries: components["schemas"]["Attempt"][];
        };
        TimelineEntry: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description What kind of entry it is.
             * @enum {string}
             */
            type: "request" | "channel" | "status" | "ledger" | "event" | "attempt";
            /** @description It in a few words. */
            summary: string;
            /** @description What caused a change of status. */
            cause?: string;
            /** @description Status after it. */
            status?: string;
            /** @description Identifier of the request, the ledger entry or the event. */
            id?: string;
            /** @description The entry itself. */
            detail?: {
                [key: string]: unknown;
            };
        };
        LimitUse: {
            /**
             * @description The least and the most of one transaction, or the sum of a customer in a day or a month in UTC.
             * @enum {string}
             */
            limit: "min" | "max" | "per_day" | "per_month";
            /** @description The limit in minor units. */
            amount: number;
            /** @description The transaction's amount for `min` and `max`, or what is counted for the customer now without this transaction. */
            value: number;
            /** @description Whether this transaction is outside the limit. */
            exceeded: boolean;
        };
        /** @description Why a transaction was declined. */
        DeclineExplanation: {
            /** @description The `decline_reason`. */
            reason: string;
            /**
             * @description Whose decision it was.
             * @enum {string}
             */
            by: "merchant" | "customer" | "channel" | "gateway" | "operator" | "simulation";
            /** @description Meaning by the contract's table. */
            meaning?: string;
            /** @description Likely cause by the contract's table. */
            likely_cause?: string;
            /** @description Next step by the contract's table. */
            suggested_action?: string;
            /**
             * @description Whether a new attempt can succeed.
             * @enum {string}
             */
            retry?: "now" | "later" | "changed" | "never";
            /**
             * @description The one who acts first.
             * @enum {string}
             */
            acts?: "merchant" | "customer" | "service" | "nobody";
            /** @description Limits of the method, if the reason can be about them. */
            limits?: components["schemas"]["LimitUse"][];
        };
        /** @description For operators only. Missing unless the last attempt at its next step has failed. */
        FailingStep: {
            /** @description How many attempts have failed in a row. */
            failures: number;
            /** @description The last error, such as the channel's. */
            error: string;
            next_attempt_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description `booked`: the difference is credited to the merchant's wallet, or taken from it. `outside`: nothing moves here, such as
         *     when the customer gets the money back from the provider. An exception without a resolution is open.
         * @enum {string}
         */
        ExceptionResolution: "booked" | "outside";
        /** @description A result of the channel that contradicts how the transaction has ended. */
        Exception: {
            at: components["schemas"]["Timestamp"];
            /** @description The call that returned it: verify, verifyPayout or an earlier one. */
            call: string;
            /**
             * @description The result.
             * @enum {string}
             */
            result: "succeeded" | "declined";
            /** @description Amount that the channel has moved by this result, in minor units. */
            amount: number;
            /** @description Why the channel has declined it. */
            decline_reason?: string;
            resolution?: components["schemas"]["ExceptionResolution"];
        };
        /** @description Correction of the wallet that books the last result of the channel. Missing without an open exception, and if nothing differs. */
        Correction: {
            /**
             * @description Whether the merchant gets it.
             * @enum {string}
             */
            direction: "credit" | "debit";
            /** @description Amount in minor units. */
            amount: number;
        };
        /**
         * @description `open` until it is decided. What was `approved` is done.
         * @enum {string}
         */
        ProposalState: "open" | "approved" | "rejected";
        /** @description An operator. */
        OperatorName: {
            /** @description Identifier of the operator. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        Proposal: {
            /** @description Identifier of the proposal. */
            id: string;
            state: components["schemas"]["ProposalState"];
            /**
             * @description `correction` of a wallet, `resolution` of a transaction, resolution of its `exception`, or `import` of one that the
             *     database lost.
             * @enum {string}
             */
            type: "correction" | "resolution" | "exception" | "import";
            /** @description Number of the merchant. */
            merchant_id: number;
            /**
             * @description Of a correction, or of an exception to book.
             * @enum {string}
             */
            direction?: "credit" | "debit";
            /** @description Of a correction, an exception to book or an import, in minor units. */
            amount?: number;
            /** @description Of a correction, an exception or an import. */
            currency?: string;
            /** @description Of a resolution, an exception or an import. */
            transaction_id?: string;
            resolution?: components["schemas"]["ExceptionResolution"];
            /** @description Of an exception: the amount by the channel's last result, in minor units. */
            claimed_amount?: number;
            /** @description Of an exception: the amount in the books, in minor units. */
            booked_amount?: number;
            /** @description Of an import. */
            merchant_order_id?: string;
            /** @description Of an import. */
            payment_method_type?: string;
            /** @description Of an import. */
            channel?: string;
            /** @description Of an import. */
            customer_id?: string;
            /**
             * @description Of a resolution.
             * @enum {string}
             */
            outcome?: "succeeded" | "declined";
            /** @description Of a payment that has succeeded, in minor units. */
            amount_paid?: number;
            /** @description Of a transaction that was declined. */
            decline_reason?: string;
            /** @description Evidence. */
            reference: string;
            /** @description Why it was proposed. */
            reason: string;
            proposed_by: components["schemas"]["OperatorName"];
            proposed_at: components["schemas"]["Timestamp"];
            /** @description Missing while it is open. */
            decision?: {
                by: components["schemas"]["OperatorName"];
                at: components["schemas"]["Timestamp"];
                /** @description Why it was decided so. */
                reason?: string;
            };
            /** @description Entry that the approval has made. */
            ledger_entry_id?: string;
        };
        TransactionDetails: components["schemas"]["TransactionSummary"] & {
            /** @description The transaction as the contract returns it. */
            resource: components["schemas"]["Payment"] | components["schemas"]["Payout"];
            /** @description Body of its creation. For its merchant only. */
            request?: {
                [key: string]: unknown;
            };
            /** @description Its statuses, in order. */
            statuses: components["schemas"]["StatusChange"][];
            /**
             * @description The calls of its channel, in order: the first and the newest 19, of which those in a row with the same result
             *     are one. For operators only.
             */
            channel_calls?: components["schemas"]["ChannelCall"][];
            /** @description Its entries in the ledger, in order. */
            ledger_entries: components["schemas"]["PostedEntry"][];
            /** @description Its events with every attempt, in order. */
            events: components["schemas"]["DeliveredEvent"][];
            /**
             * @description Statuses, ledger entries, events and attempts, in order, causes before their effects. For operators with the calls
             *     of the channel; for a merchant of a sandbox with its requests.
             */
            timeline: components["schemas"]["TimelineEntry"][];
            decline?: components["schemas"]["DeclineExplanation"];
            /** @description Address of its payment page, in the redirect flow. For its merchant only. */
            checkout_url?: string;
            /** @description The simulation events that are legal now. For its merchant, in a sandbox. */
            legal_events?: string[];
            /** @description Channel that carries it; empty if there is no such method. For operators only. */
            channel?: string;
            failing?: components["schemas"]["FailingStep"];
            /** @description Results of its channel that contradict how it has ended, in order. For operators only. */
            exceptions?: components["schemas"]["Exception"][];
            correction?: components["schemas"]["Correction"];
            /** @description The newest proposals of its outcome and its exceptions, at most 20. For operators only. */
            proposals?: components["schemas"]["Proposal"][];
            next_step_at?: components["schemas"]["Timestamp"];
        };
        /**
         * @description How the transaction ends.
         * @enum {string}
         */
        Outcome: "succeeded" | "declined";
        /** @description Amount in minor units. */
        MinorUnits: number;
        /** @description Why it is declined, as the merchant reads it. */
        DeclineReason: string;
        /** @description Evidence that the approving operator can check, such as the line of a provider's statement. */
        Reference: string;
        /** @description Why, in your own words. It is recorded with the change. */
        Reason: string;
        ProposedPaymentOutcome: {
            outcome: components["schemas"]["Outcome"];
            /** @description What was collected, in minor units. Required if the payment has succeeded. */
            amount_paid?: components["schemas"]["MinorUnits"];
            /** @description Why it is declined, as the merchant reads it. Required if it was declined. */
            decline_reason?: components["schemas"]["DeclineReason"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        PauseRequest: {
            reason?: components["schemas"]["Reason"];
        };
        Pause: {
            /** @description Missing if a gateway has noticed that the database was restored, or a backup was restored. */
            by?: components["schemas"]["OperatorName"];
            at: components["schemas"]["Timestamp"];
            /** @description Why. */
            reason?: string;
        };
        Channel: {
            /** @description Its name. */
            name: string;
            /** @description Methods of payments and payouts that it carries. */
            methods: string[];
            /** @description Missing unless it is paused. */
            paused?: components["schemas"]["Pause"];
        };
        ChannelList: {
            /** @description The channels of the gateway. */
            data: components["schemas"]["Channel"][];
            /** @description Missing unless payouts of all channels are paused. */
            payouts_paused?: components["schemas"]["Pause"];
        };
        ProposedPayoutOutcome: {
            outcome: components["schemas"]["Outcome"];
            /** @description Why it is declined, as the merchant reads it. Required if it was declined. */
            decline_reason?: components["schemas"]["DeclineReason"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        FailingTransaction: components["schemas"]["TransactionSummary"] & {
            failing?: components["schemas"]["FailingStep"];
        };
        FailingTransactionList: {
            /** @description The transactions. */
            data: components["schemas"]["FailingTransaction"][];
        };
        EventList: {
            /** @description The events. */
            data: components["schemas"]["EventSummary"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        Event: components["schemas"]["DeliveredEvent"] & {
            /** @description Body, byte for byte. */
            body: string;
        };
        ResendRequest: {
            reason?: components["schemas"]["Reason"];
        };
        ReplayRequest: {
            /** @description Only events that were created at this time or later. */
            since: components["schemas"]["Timestamp"];
            /**
             * @description Events in this state; `given_up` by default. `undelivered` were attempted and not delivered, and some of them have an
             *     attempt to come. `all` includes delivered ones.
             * @enum {string}
             */
            state?: "given_up" | "stopped" | "undelivered" | "all";
            /** @description Only events of this merchant. */
            merchant_id?: number;
            /** @description Only events for this callback URL. */
            url?: string;
            reason?: components["schemas"]["Reason"];
        };
        Replayed: {
            /** @description How many events are sent again, at most 10,000. */
            events: number;
        };
        RequestSummary: {
            /** @description Identifier of the request. */
            id: string;
            at: components["schemas"]["Timestamp"];
            /** @description Its method. */
            method: string;
            /** @description Its path with the query. */
            path: string;
            /** @description The `operationId`. */
            operation?: string;
            /** @description Status of the response. */
            status: number;
            /** @description How long it took in milliseconds. */
            duration_ms: number;
            /** @description Transaction that it is about. */
            transaction_id?: string;
            /** @description Detail of the problem. */
            problem?: string;
            /** @description The problem's first violations, at most 10. */
            violations?: components["schemas"]["Violation"][];
        };
        RequestList: {
            /** @description The requests. */
            data: components["schemas"]["RequestSummary"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        LoggedRequest: components["schemas"]["RequestSummary"] & {
            /** @description Headers with secrets masked. */
            request_headers: {
                [key: string]: string;
            };
            /** @description Body with personal data cut. */
            request_body: string;
            /** @description Headers of the response. */
            response_headers: {
                [key: string]: string;
            };
            /** @description Body of the response with personal data cut. */
            response_body: string;
        };
        StoppedUrl: {
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Callback URL. */
            url: string;
            /** @description Event to which it responded with 410, or the last one before an operator stopped it. */
            event_id: string;
            stopped_at: components["schemas"]["Timestamp"];
            /** @description Operator who has stopped it; missing if its endpoint has, with a 410. */
            stopped_by?: components["schemas"]["OperatorName"];
        };
        StoppedUrlList: {
            /** @description The callback URLs. */
            data: components["schemas"]["StoppedUrl"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        StopUrlRequest: {
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Callback URL, as its events have it. */
            url: string;
            reason?: components["schemas"]["Reason"];
        };
        ResumeUrlRequest: {
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Callback URL, as the list has it. */
            url: string;
            reason?: components["schemas"]["Reason"];
        };
        MerchantList: {
            /** @description The merchants. */
            data: components["schemas"]["Merchant"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        Wallet: {
            /** @description Its currency. */
            currency: string;
            /** @description What can be paid out, in minor units. */
            available: number;
            /** @description What was collected and isn't settled, in minor units. */
            pending: number;
            /** @description What is held for payouts, in minor units. */
            reserved: number;
            updated_at: components["schemas"]["Timestamp"];
        };
        Overview: {
            /** @description The wallet of each currency. */
            wallets: components["schemas"]["Wallet"][];
            /** @description The merchant's transactions of the last 24 hours by status, at most the newest 10,000 payments and 10,000 payouts. */
            statuses: {
                /** @description Payment or payout. */
                kind: string;
                /** @description The status. */
                status: string;
                /** @description How many. */
                count: number;
            }[];
            /** @description The same, by the hour in which they were created. */
            hours: {
                at: components["schemas"]["Timestamp"];
                /** @description Payment or payout. */
                kind: string;
                /** @description The status. */
                status: string;
                /** @description How many were created in this hour. */
                count: number;
            }[];
            /** @description Events whose last attempt failed, newest first, at most 10, of the newest 1,000 payments and 1,000 payouts. */
            failing: components["schemas"]["EventSummary"][];
        };
        WalletList: {
            /** @description The wallet of each currency. */
            data: components["schemas"]["Wallet"][];
        };
        /** @description Amounts in minor units, added up. A string, since a sum can be larger than 2^53 − 1. */
        Sum: string;
        LedgerEntry: {
            /** @description Identifier of the entry. */
            id: string;
            at: components["schemas"]["Timestamp"];
            /** @description Account that the amount left. */
            from: string;
            /** @description Account that got it. */
            to: string;
            /** @description Amount in minor units. */
            amount: number;
            /** @description Why it moved. */
            reason: string;
            /** @description Transaction that it belongs to. */
            transaction_id?: string;
            /** @description The wallet after the entry, in minor units. */
            balance: {
                /** @description What can be paid out. */
                available: components["schemas"]["Sum"];
                /** @description What was collected and isn't settled. */
                pending: components["schemas"]["Sum"];
                /** @description What is held for payouts. */
                reserved: components["schemas"]["Sum"];
            };
        };
        LedgerPage: {
            /** @description The entries. */
            data: components["schemas"]["LedgerEntry"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        Audit: {
            /** @description Whether everything adds up. */
            ok: boolean;
            /** @description Entries that were added up. */
            entries: number;
            /** @description Transactions that were compared. */
            transactions: number;
            /** @description What doesn't add up. */
            findings: string[];
        };
        SigningSecret: {
            /** @description Identifier of the secret. */
            id: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Time at which it stops signing; missing for the newest one. */
            expires_at?: components["schemas"]["Timestamp"];
            /** @description Whether it signs webhooks now. */
            valid: boolean;
            /** @description Identifier of the key that encrypts it in the database; missing if none does. For operators only. */
            encrypted_with?: string;
        };
        SigningSecretList: {
            /** @description The secrets, oldest first, without the secrets themselves. */
            data: components["schemas"]["SigningSecret"][];
        };
        /** @description Number with a unit, such as `500ms`, `30s`, `15m`, `2h` or `3d`. */
        Duration: string;
        RotateSecretRequest: {
            /** @description How long the old secret still signs; a day by default, at most 30 days. */
            overlap?: components["schemas"]["Duration"];
            reason?: components["schemas"]["Reason"];
        };
        NewSigningSecret: {
            /** @description Identifier of the secret. */
            id: string;
            /**
             * Format: password
             * @description The secret; it is shown only here.
             */
            secret: string;
            /** @description Time until which the previous secret signs too; missing if there was none. */
            previous_expires_at?: components["schemas"]["Timestamp"];
        };
        RevokeSecretRequest: {
            /** @description Revoke the only valid one too. The webhooks of the merchant then wait for the next rotation. */
            force?: boolean;
            reason?: components["schemas"]["Reason"];
        };
        ProposedCorrection: {
            /**
             * @description `credit` adds the amount to what is available in the wallet, `debit` takes it from there.
             * @enum {string}
             */
            direction: "credit" | "debit";
            amount: components["schemas"]["MinorUnits"];
            currency: components["schemas"]["Currency"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        ProposedImport: {
            /** @description Identifier, as the statement of the channel has it. */
            transaction_id: string;
            /** @description The order at the merchant. */
            merchant_order_id: string;
            /** @description What was collected or paid out, in minor units. */
            amount: components["schemas"]["MinorUnits"];
            currency: components["schemas"]["Currency"];
            /** @description Its method. */
            payment_method_type: string;
            /** @description Channel whose statement has it. */
            channel: string;
            /** @description The customer. */
            customer_id: string;
            reference: components["schemas"]["Reason"];
            reason: components["schemas"]["Reason"];
        };
        ExceptionalTransaction: components["schemas"]["TransactionSummary"] & {
            /** @description Its exceptions, in order. */
            exceptions: components["schemas"]["Exception"][];
            correction?: components["schemas"]["Correction"];
        };
        ExceptionList: {
            /** @description The transactions. */
            data: components["schemas"]["ExceptionalTransaction"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        ProposedExceptionResolution: {
            resolution: components["schemas"]["ExceptionResolution"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        ProposalList: {
            /** @description The proposals. */
            data: components["schemas"]["Proposal"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        DecisionRequest: {
            reason?: components["schemas"]["Reason"];
        };
        Settlement: {
            /** @description The day in UTC. */
            date: string;
            /** @description Number of the merchant. */
            merchant_id: number;
            /** @description Currency of the wallet. */
            currency: string;
            /** @description The account `available` at the beginning of the day. */
            opening_available: components["schemas"]["Sum"];
            /** @description The account `pending` at the beginning of the day. */
            opening_pending: components["schemas"]["Sum"];
            /** @description The account `reserved` at the beginning of the day. */
            opening_reserved: components["schemas"]["Sum"];
            /** @description What payers paid on that day. */
            moved_collected: components["schemas"]["Sum"];
            /** @description What became available on that day. */
            moved_settled: components["schemas"]["Sum"];
            /** @description What was held for payouts on that day. */
            moved_reserved: components["schemas"]["Sum"];
            /** @description What was paid out on that day. */
            moved_paid_out: components["schemas"]["Sum"];
            /** @description What was held for payouts that failed on that day. */
            moved_released: components["schemas"]["Sum"];
            /** @description What was put into the wallet on that day. */
            moved_funded: components["schemas"]["Sum"];
            /** @description What was taken out of the wallet on that day. */
            moved_drained: components["schemas"]["Sum"];
            /** @description What corrections added on that day. */
            moved_credited: components["schemas"]["Sum"];
            /** @description What corrections took on that day. */
            moved_debited: components["schemas"]["Sum"];
            /** @description The account `available` at the end of the day. */
            closing_available: components["schemas"]["Sum"];
            /** @description The account `pending` at the end of the day. */
            closing_pending: components["schemas"]["Sum"];
            /** @description The account `reserved` at the end of the day. */
            closing_reserved: components["schemas"]["Sum"];
        };
        SettlementList: {
            /** @description The wallets. */
            data: components["schemas"]["Settlement"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        OperatorKey: {
            /** @description Identifier of the key. */
            id: string;
            /** @description The end of the key. */
            hint: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Last use, accurate to a minute. Missing if it was never used. */
            last_used_at?: components["schemas"]["Timestamp"];
            /** @description Missing while it is valid. */
            revoked_at?: components["schemas"]["Timestamp"];
        };
        Operator: {
            /** @description Identifier of the operator. */
            id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description Its role.
             * @enum {string}
             */
            role: "read" | "act" | "approve";
            created_at: components["schemas"]["Timestamp"];
            /** @description Its keys, oldest first, without the keys themselves. */
            keys: components["schemas"]["OperatorKey"][];
        };
        OperatorList: {
            /** @description The operators. */
            data: components["schemas"]["Operator"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
        };
        Change: {
            /** @description Identifier of the change. */
            id: string;
            at: components["schemas"]["Timestamp"];
            /** @description Identifier of the operator. */
            operator_id: string;
            /** @description Name of the operator; of a command on the database, the system's user and the machine. */
            operator: string;
            /** @description The `operationId` of the request, or the name of a command's change, such as `fundWallet`. */
            action: string;
            /** @description Number of the merchant; missing if it concerns several. */
            merchant_id?: number;
            /** @description What was changed, such as the identifier of an event; of a callback URL the address. */
            subject?: string;
            /** @description Why; missing where the request gave no reason. */
            reason?: string;
        };
        ChangeList: {
            /** @description The changes. */
            data: components["schemas"]["Change"][];
            /** @description Cursor of the next page; missing on the last. */
            next_cursor?: string;
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
        /** @description The present state does not allow it. Nothing has changed. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Number of entries, 50 by default. */
        Limit: number;
        /** @description The `next_cursor` of the page before. */
        Cursor: string;
        /** @description Only what belongs to this merchant. */
        MerchantFilter: number;
        /** @description Only transactions in this status. One that the kind of transaction never has is refused. */
        Status: string;
        /** @description Only transactions of this `payment_method_type`. */
        MethodFilter: string;
        /** @description Only the transaction of this order. */
        OrderId: string;
        /** @description Only transactions of this customer. */
        CustomerFilter: string;
        /** @description Only what was created at this time or later. */
        CreatedFrom: string;
        /** @description Only what was created before this time. */
        CreatedBefore: string;
        /**
         * @description Only transactions whose id, order id or customer id contains this text. The case of letters doesn't matter;
         *     of letters other than A to Z, write it as it is.
         */
        Search: string;
        /** @description Only transactions that were declined for this reason. */
        DeclineReason: string;
        /** @description With `true`, `total` says how many transactions there are on all pages. */
        Count: "true";
        /** @description Identifier of the transaction. */
        TransactionId: string;
        /** @description Only what is about this transaction. */
        TransactionFilter: string;
        /** @description Identifier of the event; the webhook carries it as `webhook-id`. */
        EventId: string;
        /** @description Identifier of the request; its response carries it as `x-request-id`. */
        RequestId: string;
        /** @description Number of the merchant. */
        MerchantId: number;
        /** @description Currency of the entries. */
        LedgerCurrency: components["schemas"]["Currency"];
        /** @description Identifier of the signing secret. */
        SecretId: string;
        /** @description Name of the channel. */
        ChannelName: string;
        /** @description Identifier of the proposal. */
        ProposalId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Time to wait before you send the request again, in seconds or as an HTTP date. */
        RetryAfter: number | string;
    };
    pathItems: never;
}
export type Violation = components['schemas']['Violation'];
export type Problem = components['schemas']['Problem'];
export type Timestamp = components['schemas']['Timestamp'];
export type Merchant = components['schemas']['Merchant'];
export type Caller = components['schemas']['Caller'];
export type TransactionSummary = components['schemas']['TransactionSummary'];
export type TransactionList = components['schemas']['TransactionList'];
export type ValidationProblem = components['schemas']['ValidationProblem'];
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
export type PayoutProcessing = components['schemas']['PayoutProcessing'];
export type PayoutSucceeded = components['schemas']['PayoutSucceeded'];
export type PayoutDeclineReason = components['schemas']['PayoutDeclineReason'];
export type PayoutFailed = components['schemas']['PayoutFailed'];
export type Payout = components['schemas']['Payout'];
export type StatusChange = components['schemas']['StatusChange'];
export type ChannelCall = components['schemas']['ChannelCall'];
export type PostedEntry = components['schemas']['PostedEntry'];
export type EventState = components['schemas']['EventState'];
export type EventSummary = components['schemas']['EventSummary'];
export type Attempt = components['schemas']['Attempt'];
export type DeliveredEvent = components['schemas']['DeliveredEvent'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type LimitUse = components['schemas']['LimitUse'];
export type DeclineExplanation = components['schemas']['DeclineExplanation'];
export type FailingStep = components['schemas']['FailingStep'];
export type ExceptionResolution = components['schemas']['ExceptionResolution'];
export type Exception = components['schemas']['Exception'];
export type Correction = components['schemas']['Correction'];
export type ProposalState = components['schemas']['ProposalState'];
export type OperatorName = components['schemas']['OperatorName'];
export type Proposal = components['schemas']['Proposal'];
export type TransactionDetails = components['schemas']['TransactionDetails'];
export type Outcome = components['schemas']['Outcome'];
export type MinorUnits = components['schemas']['MinorUnits'];
export type DeclineReason = components['schemas']['DeclineReason'];
export type Reference = components['schemas']['Reference'];
export type Reason = components['schemas']['Reason'];
export type ProposedPaymentOutcome = components['schemas']['ProposedPaymentOutcome'];
export type PauseRequest = components['schemas']['PauseRequest'];
export type Pause = components['schemas']['Pause'];
export type Channel = components['schemas']['Channel'];
export type ChannelList = components['schemas']['ChannelList'];
export type ProposedPayoutOutcome = components['schemas']['ProposedPayoutOutcome'];
export type FailingTransaction = components['schemas']['FailingTransaction'];
export type FailingTransactionList = components['schemas']['FailingTransactionList'];
export type EventList = components['schemas']['EventList'];
export type Event = components['schemas']['Event'];
export type ResendRequest = components['schemas']['ResendRequest'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type Replayed = components['schemas']['Replayed'];
export type RequestSummary = components['schemas']['RequestSummary'];
export type RequestList = components['schemas']['RequestList'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type StoppedUrl = components['schemas']['StoppedUrl'];
export type StoppedUrlList = components['schemas']['StoppedUrlList'];
export type StopUrlRequest = components['schemas']['StopUrlRequest'];
export type ResumeUrlRequest = components['schemas']['ResumeUrlRequest'];
export type MerchantList = components['schemas']['MerchantList'];
export type Wallet = components['schemas']['Wallet'];
export type Overview = components['schemas']['Overview'];
export type WalletList = components['schemas']['WalletList'];
export type Sum = components['schemas']['Sum'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type LedgerPage = components['schemas']['LedgerPage'];
export type Audit = components['schemas']['Audit'];
export type SigningSecret = components['schemas']['SigningSecret'];
export type SigningSecretList = components['schemas']['SigningSecretList'];
export type Duration = components['schemas']['Duration'];
export type RotateSecretRequest = components['schemas']['RotateSecretRequest'];
export type NewSigningSecret = components['schemas']['NewSigningSecret'];
export type RevokeSecretRequest = components['schemas']['RevokeSecretRequest'];
export type ProposedCorrection = components['schemas']['ProposedCorrection'];
export type ProposedImport = components['schemas']['ProposedImport'];
export type ExceptionalTransaction = components['schemas']['ExceptionalTransaction'];
export type ExceptionList = components['schemas']['ExceptionList'];
export type ProposedExceptionResolution = components['schemas']['ProposedExceptionResolution'];
export type ProposalList = components['schemas']['ProposalList'];
export type DecisionRequest = components['schemas']['DecisionRequest'];
export type Settlement = components['schemas']['Settlement'];
export type SettlementList = components['schemas']['SettlementList'];
export type OperatorKey = components['schemas']['OperatorKey'];
export type Operator = components['schemas']['Operator'];
export type OperatorList = components['schemas']['OperatorList'];
export type Change = components['schemas']['Change'];
export type ChangeList = components['schemas']['ChangeList'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterMerchantFilter = components['parameters']['MerchantFilter'];
export type ParameterStatus = components['parameters']['Status'];
export type ParameterMethodFilter = components['parameters']['MethodFilter'];
export type ParameterOrderId = components['parameters']['OrderId'];
export type ParameterCustomerFilter = components['parameters']['CustomerFilter'];
export type ParameterCreatedFrom = components['parameters']['CreatedFrom'];
export type ParameterCreatedBefore = components['parameters']['CreatedBefore'];
export type ParameterSearch = components['parameters']['Search'];
export type ParameterDeclineReason = components['parameters']['DeclineReason'];
export type ParameterCount = components['parameters']['Count'];
export type ParameterTransactionId = components['parameters']['TransactionId'];
export type ParameterTransactionFilter = components['parameters']['TransactionFilter'];
export type ParameterEventId = components['parameters']['EventId'];
export type ParameterRequestId = components['parameters']['RequestId'];
export type ParameterMerchantId = components['parameters']['MerchantId'];
export type ParameterLedgerCurrency = components['parameters']['LedgerCurrency'];
export type ParameterSecretId = components['parameters']['SecretId'];
export type ParameterChannelName = components['parameters']['ChannelName'];
export type ParameterProposalId = components['parameters']['ProposalId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
                /** @description Only transactions in this status. One that the kind of transaction never has is refused. */
                status?: components["parameters"]["Status"];
                /** @description Only transactions of this `payment_method_type`. */
                method?: components["parameters"]["MethodFilter"];
                /** @description Only the transaction of this order. */
                merchant_order_id?: components["parameters"]["OrderId"];
                /** @description Only transactions of this customer. */
                customer_id?: components["parameters"]["CustomerFilter"];
                /** @description Only what was created at this time or later. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Only transactions whose id, order id or customer id contains this text. The case of letters doesn't matter;
                 *     of letters other than A to Z, write it as it is.
                 */
                search?: components["parameters"]["Search"];
                /** @description Only transactions that were declined for this reason. */
                decline_reason?: components["parameters"]["DeclineReason"];
                /** @description With `true`, `total` says how many transactions there are on all pages. */
                count?: components["parameters"]["Count"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    getPayment: {
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
            /** @description The payment with its history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionDetails"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    proposePaymentOutcome: {
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
                "application/json": components["schemas"]["ProposedPaymentOutcome"];
            };
        };
        responses: {
            /** @description The proposal, which waits for an approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
                /** @description Only transactions in this status. One that the kind of transaction never has is refused. */
                status?: components["parameters"]["Status"];
                /** @description Only transactions of this `payment_method_type`. */
                method?: components["parameters"]["MethodFilter"];
                /** @description Only the transaction of this order. */
                merchant_order_id?: components["parameters"]["OrderId"];
                /** @description Only transactions of this customer. */
                customer_id?: components["parameters"]["CustomerFilter"];
                /** @description Only what was created at this time or later. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /**
                 * @description Only transactions whose id, order id or customer id contains this text. The case of letters doesn't matter;
                 *     of letters other than A to Z, write it as it is.
                 */
                search?: components["parameters"]["Search"];
                /** @description Only transactions that were declined for this reason. */
                decline_reason?: components["parameters"]["DeclineReason"];
                /** @description With `true`, `total` says how many transactions there are on all pages. */
                count?: components["parameters"]["Count"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    pausePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            /** @description The channels, and whether payouts are paused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            400: components["responses"]["Invalid"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    resumePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            /** @description The channels, and whether payouts are paused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            400: components["responses"]["Invalid"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    getPayout: {
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
            /** @description The payout with its history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionDetails"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    proposePayoutOutcome: {
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
                "application/json": components["schemas"]["ProposedPayoutOutcome"];
            };
        };
        responses: {
            /** @description The proposal, which waits for an approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    listFailingTransactions: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailingTransactionList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
                /** @description Only what is about this transaction. */
                transaction_id?: components["parameters"]["TransactionFilter"];
                /** @description Only events in this state. */
                state?: components["schemas"]["EventState"];
                /** @description Only what was created at this time or later. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    getEvent: {
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
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    resendEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the event; the webhook carries it as `webhook-id`. */
                event_id: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendRequest"];
            };
        };
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description How many are sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what is about this transaction. */
                transaction_id?: components["parameters"]["TransactionFilter"];
                /** @description Only requests whose response is an error. */
                failed?: "true";
                /** @description With `false`, requests to the sandbox and to the management API are left out. */
                sandbox?: "false";
                /** @description Only requests of this `operationId`. Those of the management API begin with `management.`. */
                operation?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the request; its response carries it as `x-request-id`. */
                request_id: components["parameters"]["RequestId"];
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
                    "application/json": components["schemas"]["LoggedRequest"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    streamChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; it stays open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    listStoppedUrls: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of callback URLs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedUrlList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    stopUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopUrlRequest"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    resumeUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeUrlRequest"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
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
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletList"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    listLedgerEntries: {
        parameters: {
            query: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Currency of the entries. */
                currency: components["parameters"]["LedgerCurrency"];
            };
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerPage"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    auditLedger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            /** @description An audit of this merchant is in progress, or many others wait. Retry after the number of seconds in `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listSigningSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretList"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSigningSecret"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    revokeSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
                /** @description Identifier of the signing secret. */
                secret_id: components["parameters"]["SecretId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeSecretRequest"];
            };
        };
        responses: {
            /** @description The secrets as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretList"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    proposeCorrection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposedCorrection"];
            };
        };
        responses: {
            /** @description The proposal, which waits for an approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    proposeImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the merchant. */
                merchant_id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposedImport"];
            };
        };
        responses: {
            /** @description The proposal, which waits for an approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
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
    pauseChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                channel: components["parameters"]["ChannelName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            /** @description The channel as it is now. */
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
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    resumeChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                channel: components["parameters"]["ChannelName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            /** @description The channel as it is now. */
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
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    proposeExceptionResolution: {
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
                "application/json": components["schemas"]["ProposedExceptionResolution"];
            };
        };
        responses: {
            /** @description The proposal, which waits for an approval. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    listProposals: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
                /** @description Only what is about this transaction. */
                transaction_id?: components["parameters"]["TransactionFilter"];
                /** @description Only proposals in this state. */
                state?: components["schemas"]["ProposalState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of proposals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    getProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the proposal. */
                proposal_id: components["parameters"]["ProposalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proposal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Problem"];
        };
    };
    approveProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the proposal. */
                proposal_id: components["parameters"]["ProposalId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The proposal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    rejectProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the proposal. */
                proposal_id: components["parameters"]["ProposalId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The proposal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Problem"];
        };
    };
    listSettlements: {
        parameters: {
            query: {
                /** @description Day in UTC, such as `2026-03-02`. */
                date: string;
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listOperators: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operators. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Number of entries, 50 by default. */
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what belongs to this merchant. */
                merchant_id?: components["parameters"]["MerchantFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["Invalid"];
            default: components["responses"]["Problem"];
        };
    };
}
