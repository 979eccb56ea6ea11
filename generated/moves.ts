// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

/** Moves between statuses, with who makes them (an operation, the customer or the service) and the flows that have both. */
export const moves = {
  "payment": [
    {
      "from": "CREATED",
      "to": "EXTRA_DATA_NEEDED",
      "by": "service",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "CREATED",
      "to": "PAY_CONFIRMATION_NEEDED",
      "by": "service",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "CREATED",
      "to": "VERIFYING",
      "by": "customer",
      "flows": [
        "h2h",
        "redirect"
      ]
    },
    {
      "from": "CREATED",
      "to": "FAILED",
      "by": "service",
      "flows": [
        "h2h",
        "redirect"
      ]
    },
    {
      "from": "EXTRA_DATA_NEEDED",
      "to": "PAY_CONFIRMATION_NEEDED",
      "by": "clarifyPayment",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "EXTRA_DATA_NEEDED",
      "to": "FAILED",
      "by": "service",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "PAY_CONFIRMATION_NEEDED",
      "to": "VERIFYING",
      "by": "confirmPayment",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "PAY_CONFIRMATION_NEEDED",
      "to": "FAILED",
      "by": "service",
      "flows": [
        "h2h"
      ]
    },
    {
      "from": "VERIFYING",
      "to": "SUCCESS",
      "by": "service",
      "flows": [
        "h2h",
        "redirect"
      ]
    },
    {
      "from": "VERIFYING",
      "to": "FAILED",
      "by": "service",
      "flows": [
        "h2h",
        "redirect"
      ]
    }
  ],
  "payout": [
    {
      "from": "PROCESSING",
      "to": "SUCCESS",
      "by": "service"
    },
    {
      "from": "PROCESSING",
      "to": "FAILED",
      "by": "service"
    }
  ]
} as const satisfies Record<string, readonly object[]>;

/** Statuses that a webhook reports. */
export const notifiedStatuses = [
  "EXTRA_DATA_NEEDED",
  "PAY_CONFIRMATION_NEEDED",
  "SUCCESS",
  "FAILED"
] as const satisfies readonly string[];
