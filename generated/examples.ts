// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type {
  Balance,
  ClarifyPaymentRequest,
  ConfirmPaymentRequest,
  ConfirmPaymentResponse,
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreatePayoutRequest,
  CreatePayoutResponse,
  Payment,
  PaymentConfirmationNeeded,
  PaymentExtraDataNeeded,
  PaymentFailed,
  PaymentSucceeded,
  Payout,
  PayoutFailed,
  PayoutSucceeded,
  Problem,
  ValidationProblem,
} from './types.ts';

/** The requests of each operation, by operation and name of the example. */
export const requestExamples = {
"findPayment": {
"h2h": {
"path": {},
"query": {"merchant_order_id":"order-1001"},
},
"redirect": {
"path": {},
"query": {"merchant_order_id":"order-1002"},
},
},
"createPayment": {
"h2h-upi": {
"path": {},
"query": {},
"body": {"amount":49900,"currency":"INR","merchant_order_id":"order-1009","customer":{"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"h2h-upi-incomplete": {
"path": {},
"query": {},
"body": {"amount":49900,"currency":"INR","merchant_order_id":"order-1001","customer":{"id":"customer-71","email":"asha.rao@example.com"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"h2h-upi-trusted": {
"path": {},
"query": {},
"body": {"amount":1999900,"currency":"INR","merchant_order_id":"order-1005","customer":{"id":"customer-75","name":"Ravi Kumar","email":"ravi.kumar@example.com","phone":"+919812345675","kyc_level":"TRUSTED"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"h2h-upi-clarify": {
"path": {},
"query": {},
"body": {"amount":25000,"currency":"INR","merchant_order_id":"order-1006","customer":{"id":"customer-76"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"h2h-upi-confirm": {
"path": {},
"query": {},
"body": {"amount":100000,"currency":"INR","merchant_order_id":"order-1007","customer":{"id":"customer-77","name":"Kiran Patel","email":"kiran.patel@example.com","phone":"+919812345677"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"redirect-upi": {
"path": {},
"query": {},
"body": {"amount":75000,"currency":"INR","merchant_order_id":"order-1008","customer":{"id":"customer-78","name":"Kiran Patel","email":"kiran.patel@example.com","phone":"+919812345677"},"payment_method_type":"UPI_IN","return_url":"https://shop.example.com/orders/order-1008/return","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"redirect-egp": {
"path": {},
"query": {},
"body": {"amount":125000,"currency":"EGP","merchant_order_id":"order-1002","customer":{"id":"customer-72","name":"Omar Hassan","email":"omar.hassan@example.com","phone":"+201012345672"},"payment_method_type":"WALLET_EG","return_url":"https://shop.example.com/orders/order-1002/return","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"redirect-mad-trusted": {
"path": {},
"query": {},
"body": {"amount":30050,"currency":"MAD","merchant_order_id":"order-1003","customer":{"id":"customer-73","name":"Salma Benali","email":"salma.benali@example.com","phone":"+212612345673","kyc_level":"TRUSTED"},"payment_method_type":"WALLET_MA","return_url":"https://shop.example.com/orders/order-1003/return","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
"redirect-dzd": {
"path": {},
"query": {},
"body": {"amount":450000,"currency":"DZD","merchant_order_id":"order-1004","customer":{"id":"customer-74","name":"Yacine Haddad","email":"yacine.haddad@example.com","phone":"+213551234574"},"payment_method_type":"WALLET_DZ","return_url":"https://shop.example.com/orders/order-1004/return","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest,
},
},
"getPayment": {
"created": {
"path": {"transaction_id":"pay_01KJPYPEC0CAKEJVMP8SAQ7EPZ"},
"query": {},
},
"extra-data-needed": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
},
"confirmation-needed": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
},
"verifying": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
},
"succeeded": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
},
"succeeded-other-amount": {
"path": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8"},
"query": {},
},
"declined": {
"path": {"transaction_id":"pay_01KJPXHTG03HJFMXR0ZMNTAH3W"},
"query": {},
},
"redirect-created": {
"path": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J"},
"query": {},
},
"redirect-verifying": {
"path": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J"},
"query": {},
},
"redirect-succeeded": {
"path": {"transaction_id":"pay_01KJPWZGJ0XXGKNY0SV5D6TRHE"},
"query": {},
},
"redirect-expired": {
"path": {"transaction_id":"pay_01KJPX8NH0DFTCBPQKA9PKEG05"},
"query": {},
},
"redirect-declined": {
"path": {"transaction_id":"pay_01KJPYD9D0VW2T4Z9Q94C8T9A6"},
"query": {},
},
},
"clarifyPayment": {
"name-and-phone": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
"body": {"clarify_data":{"name":"Asha Rao","phone":"+919812345671"}} satisfies ClarifyPaymentRequest,
},
"account-and-email": {
"path": {"transaction_id":"pay_01KJPXTZF0XEPF9F0FNXTMD643"},
"query": {},
"body": {"clarify_data":{"account_number":"meera.nair@upi","email":"meera.nair@example.com"}} satisfies ClarifyPaymentRequest,
},
},
"confirmPayment": {
"tid-and-amount": {
"path": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D"},
"query": {},
"body": {"confirm_data":{"tid":"406112345678","amount":"49900"}} satisfies ConfirmPaymentRequest,
},
"tid": {
"path": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8"},
"query": {},
"body": {"confirm_data":{"tid":"406112345699"}} satisfies ConfirmPaymentRequest,
},
},
"getBalance": {
"four-currencies": {
"path": {},
"query": {},
},
"after-payment": {
"path": {},
"query": {},
},
"after-payout": {
"path": {},
"query": {},
},
"new-merchant": {
"path": {},
"query": {},
},
},
"createPayout": {
"imps-inr": {
"path": {},
"query": {},
"body": {"amount":1500000,"currency":"INR","merchant_order_id":"withdrawal-2001","customer":{"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671","account_number":"50100212345671","bank_code":"HDFC0000123","bank_name":"HDFC Bank","bank_branch":"Bengaluru Main"},"payment_method_type":"IMPS_IN","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest,
},
"imps-inr-trusted": {
"path": {},
"query": {},
"body": {"amount":250000,"currency":"INR","merchant_order_id":"withdrawal-2002","customer":{"id":"customer-75","name":"Ravi Kumar","email":"ravi.kumar@example.com","phone":"+919812345675","account_number":"000000000001","bank_code":"ICIC0000456","bank_name":"ICICI Bank","bank_branch":"Pune Camp","kyc_level":"TRUSTED"},"payment_method_type":"IMPS_IN","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest,
},
"wallet-egp": {
"path": {},
"query": {},
"body": {"amount":80000,"currency":"EGP","merchant_order_id":"withdrawal-2003","customer":{"id":"customer-72","name":"Omar Hassan","email":"omar.hassan@example.com","phone":"+201012345672","account_number":"201012345672"},"payment_method_type":"WALLET_EG","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest,
},
"wallet-mad": {
"path": {},
"query": {},
"body": {"amount":20000,"currency":"MAD","merchant_order_id":"withdrawal-2004","customer":{"id":"customer-73","name":"Salma Benali","email":"salma.benali@example.com","phone":"+212612345673","account_number":"212612345673","kyc_level":"TRUSTED"},"payment_method_type":"WALLET_MA","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest,
},
"wallet-dzd": {
"path": {},
"query": {},
"body": {"amount":300000,"currency":"DZD","merchant_order_id":"withdrawal-2005","customer":{"id":"customer-74","name":"Yacine Haddad","email":"yacine.haddad@example.com","phone":"+213551234574","account_number":"213551234574"},"payment_method_type":"WALLET_DZ","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest,
},
},
"getPayout": {
"processing": {
"path": {"payout_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4"},
"query": {},
},
"succeeded": {
"path": {"payout_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4"},
"query": {},
},
"succeeded-egp": {
"path": {"payout_id":"out_01KJSJT360KJSG1HTJ6ZSW3F2Z"},
"query": {},
},
"succeeded-mad": {
"path": {"payout_id":"out_01KJSK38503BPX4JJMN1VBFZ9J"},
"query": {},
},
"declined": {
"path": {"payout_id":"out_01KJSJGY70HJC0CNF8AZCPQD8G"},
"query": {},
},
"declined-balance": {
"path": {"payout_id":"out_01KJSKCD40QVVB1D16N996ET8K"},
"query": {},
},
},
} as const;

/** The responses of each operation, by operation, status and name of the example. */
export const responseExamples = {
"findPayment": {
"200": {
"h2h": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"SUCCESS","amount":49900,"amount_paid":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","finalized_at":"2026-03-02T09:03:05Z"} satisfies Payment,
"redirect": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J","merchant_order_id":"order-1002","status":"SUCCESS","amount":125000,"amount_paid":125000,"currency":"EGP","payment_method":"WALLET_EG","created_at":"2026-03-02T09:05:00Z","finalized_at":"2026-03-02T09:07:30Z"} satisfies Payment,
},
"400": {
"no-parameter": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0ENWNR90F7W47F1QJ","violations":[{"in":"query","pointer":"","message":"must have exactly one of transaction_id and merchant_order_id"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"404": {
"payment-not-found": {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payment has this ID.","request_id":"req_01KJPWD6M00PRFYFQETVNTKB3C"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"createPayment": {
"200": {
"h2h-upi": {"transaction_id":"pay_01KJPYPEC0CAKEJVMP8SAQ7EPZ","merchant_order_id":"order-1009","status":"CREATED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","created_at":"2026-03-02T09:40:00Z"} satisfies CreatePaymentResponse,
"h2h-upi-incomplete": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"EXTRA_DATA_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","clarify":["name","phone"]} satisfies CreatePaymentResponse,
"h2h-upi-trusted": {"transaction_id":"pay_01KJPXHTG03HJFMXR0ZMNTAH3W","merchant_order_id":"order-1005","status":"CREATED","amount":1999900,"currency":"INR","payment_method_type":"UPI_IN","created_at":"2026-03-02T09:20:00Z"} satisfies CreatePaymentResponse,
"h2h-upi-clarify": {"transaction_id":"pay_01KJPXTZF0XEPF9F0FNXTMD643","merchant_order_id":"order-1006","status":"EXTRA_DATA_NEEDED","amount":25000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:25:00Z","clarify":["account_number","email"]} satisfies CreatePaymentResponse,
"h2h-upi-confirm": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8","merchant_order_id":"order-1007","status":"PAY_CONFIRMATION_NEEDED","amount":100000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:30:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[100000]},"confirm":["tid"]} satisfies CreatePaymentResponse,
"redirect-upi": {"transaction_id":"pay_01KJPYD9D0VW2T4Z9Q94C8T9A6","merchant_order_id":"order-1008","status":"CREATED","amount":75000,"currency":"INR","payment_method_type":"UPI_IN","created_at":"2026-03-02T09:35:00Z","redirect_url":"https://pay.example.com/checkout/01kjpyd9d07ha49m2hhzv8zt32"} satisfies CreatePaymentResponse,
"redirect-egp": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J","merchant_order_id":"order-1002","status":"CREATED","amount":125000,"currency":"EGP","payment_method_type":"WALLET_EG","created_at":"2026-03-02T09:05:00Z","redirect_url":"https://pay.example.com/checkout/01kjpwpbk02bnyk8sagxmfckj1"} satisfies CreatePaymentResponse,
"redirect-mad-trusted": {"transaction_id":"pay_01KJPWZGJ0XXGKNY0SV5D6TRHE","merchant_order_id":"order-1003","status":"CREATED","amount":30050,"currency":"MAD","payment_method_type":"WALLET_MA","created_at":"2026-03-02T09:10:00Z","redirect_url":"https://pay.example.com/checkout/01kjpwzgj0zp762gyj012702eg"} satisfies CreatePaymentResponse,
"redirect-dzd": {"transaction_id":"pay_01KJPX8NH0DFTCBPQKA9PKEG05","merchant_order_id":"order-1004","status":"CREATED","amount":450000,"currency":"DZD","payment_method_type":"WALLET_DZ","created_at":"2026-03-02T09:15:00Z","redirect_url":"https://pay.example.com/checkout/01kjpx8nh0j1ezkz993zxcqw3c"} satisfies CreatePaymentResponse,
},
"400": {
"several-violations": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the 3 violations and send the request again.","request_id":"req_01KJPWD6M0RSRGN19P3CGE15D5","violations":[{"in":"body","pointer":"/amount","message":"must be an integer, without decimals"},{"in":"body","pointer":"/currency","message":"must be one of INR, EGP, MAD, DZD"},{"in":"body","pointer":"/customer/id","message":"is missing"}]} satisfies ValidationProblem,
"unknown-field": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0082DVTYF0MBY7KR7","violations":[{"in":"body","pointer":"/curency","message":"is not a known field"}]} satisfies ValidationProblem,
"malformed-json": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0QP7WPCTCRRA1HKN7","violations":[{"in":"body","pointer":"","message":"is not valid JSON"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"409": {
"order-id-reused": {"type":"https://docs.gateway.example/problems/order-id-reused","title":"The merchant_order_id is already in use","status":409,"detail":"A payment with the merchant_order_id order-1001 exists, created with another callback_url. To repeat it, send the first request unchanged. Use a new merchant_order_id only once that payment is known to have failed, because the customer could otherwise pay twice.","request_id":"req_01KJPWD6M04Q1YHG0MY9G7T9HG","transaction_id":"pay_01KJPWD6M07JTBPZYG4SWFJ2NN","differences":["/callback_url"]} satisfies Problem,
},
"413": {
"body-too-large": {"type":"https://docs.gateway.example/problems/body-too-large","title":"The body is too large","status":413,"detail":"Send a smaller body.","request_id":"req_01KJPWD6M06H19VS5Y79YWT6SK"} satisfies Problem,
},
"415": {
"unsupported-media-type": {"type":"https://docs.gateway.example/problems/unsupported-media-type","title":"Unsupported media type","status":415,"detail":"Send the body as JSON, with `Content-Type: application/json`.","request_id":"req_01KJPWD6M0D6EYKJVKJ6GA2MMD"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"getPayment": {
"200": {
"created": {"transaction_id":"pay_01KJPYPEC0CAKEJVMP8SAQ7EPZ","merchant_order_id":"order-1009","status":"CREATED","amount":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:40:00Z"} satisfies Payment,
"extra-data-needed": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"EXTRA_DATA_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","clarify":["name","phone"]} satisfies Payment,
"confirmation-needed": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"PAY_CONFIRMATION_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[49900,50000]},"confirm":["amount","tid"]} satisfies Payment,
"verifying": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"VERIFYING","amount":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z"} satisfies Payment,
"succeeded": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"SUCCESS","amount":49900,"amount_paid":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","finalized_at":"2026-03-02T09:03:05Z"} satisfies Payment,
"succeeded-other-amount": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8","merchant_order_id":"order-1007","status":"SUCCESS","amount":100000,"amount_paid":99900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:30:00Z","finalized_at":"2026-03-02T09:33:40Z"} satisfies Payment,
"declined": {"transaction_id":"pay_01KJPXHTG03HJFMXR0ZMNTAH3W","merchant_order_id":"order-1005","status":"FAILED","amount":1999900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:20:00Z","finalized_at":"2026-03-02T09:22:10Z","decline_reason":"INSUFFICIENT_FUNDS"} satisfies Payment,
"redirect-created": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J","merchant_order_id":"order-1002","status":"CREATED","amount":125000,"currency":"EGP","payment_method":"WALLET_EG","created_at":"2026-03-02T09:05:00Z"} satisfies Payment,
"redirect-verifying": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J","merchant_order_id":"order-1002","status":"VERIFYING","amount":125000,"currency":"EGP","payment_method":"WALLET_EG","created_at":"2026-03-02T09:05:00Z"} satisfies Payment,
"redirect-succeeded": {"transaction_id":"pay_01KJPWZGJ0XXGKNY0SV5D6TRHE","merchant_order_id":"order-1003","status":"SUCCESS","amount":30050,"amount_paid":30050,"currency":"MAD","payment_method":"WALLET_MA","created_at":"2026-03-02T09:10:00Z","finalized_at":"2026-03-02T09:11:12Z"} satisfies Payment,
"redirect-expired": {"transaction_id":"pay_01KJPX8NH0DFTCBPQKA9PKEG05","merchant_order_id":"order-1004","status":"FAILED","amount":450000,"currency":"DZD","payment_method":"WALLET_DZ","created_at":"2026-03-02T09:15:00Z","finalized_at":"2026-03-02T09:45:00Z","decline_reason":"TIMEOUT_EXPIRED"} satisfies Payment,
"redirect-declined": {"transaction_id":"pay_01KJPYD9D0VW2T4Z9Q94C8T9A6","merchant_order_id":"order-1008","status":"FAILED","amount":75000,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:35:00Z","finalized_at":"2026-03-02T09:37:20Z","decline_reason":"BANK_REJECTED"} satisfies Payment,
},
"400": {
"id-too-long": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Send the ID exactly as the service returned it.","request_id":"req_01KJPWD6M07BCMAEYB68PMCZJG","violations":[{"in":"path","pointer":"/transaction_id","message":"must have at most 255 characters"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"404": {
"payment-not-found": {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payment has this ID.","request_id":"req_01KJPWD6M00PRFYFQETVNTKB3C"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"clarifyPayment": {
"200": {
"name-and-phone": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"PAY_CONFIRMATION_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[49900,50000]},"confirm":["amount","tid"]} satisfies Payment,
"account-and-email": {"transaction_id":"pay_01KJPXTZF0XEPF9F0FNXTMD643","merchant_order_id":"order-1006","status":"PAY_CONFIRMATION_NEEDED","amount":25000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:25:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[25000]},"confirm":["tid"]} satisfies Payment,
},
"400": {
"several-violations": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the 3 violations and send the request again.","request_id":"req_01KJPWD6M0RSRGN19P3CGE15D5","violations":[{"in":"body","pointer":"/amount","message":"must be an integer, without decimals"},{"in":"body","pointer":"/currency","message":"must be one of INR, EGP, MAD, DZD"},{"in":"body","pointer":"/customer/id","message":"is missing"}]} satisfies ValidationProblem,
"unknown-field": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0082DVTYF0MBY7KR7","violations":[{"in":"body","pointer":"/curency","message":"is not a known field"}]} satisfies ValidationProblem,
"malformed-json": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0QP7WPCTCRRA1HKN7","violations":[{"in":"body","pointer":"","message":"is not valid JSON"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"404": {
"payment-not-found": {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payment has this ID.","request_id":"req_01KJPWD6M00PRFYFQETVNTKB3C"} satisfies Problem,
},
"409": {
"wrong-state": {"type":"https://docs.gateway.example/problems/wrong-state","title":"The payment is in the wrong state","status":409,"detail":"The payment is VERIFYING. Read its status before you act on it.","request_id":"req_01KJPWD6M0S53SH19PDVXN7CJB"} satisfies Problem,
},
"413": {
"body-too-large": {"type":"https://docs.gateway.example/problems/body-too-large","title":"The body is too large","status":413,"detail":"Send a smaller body.","request_id":"req_01KJPWD6M06H19VS5Y79YWT6SK"} satisfies Problem,
},
"415": {
"unsupported-media-type": {"type":"https://docs.gateway.example/problems/unsupported-media-type","title":"Unsupported media type","status":415,"detail":"Send the body as JSON, with `Content-Type: application/json`.","request_id":"req_01KJPWD6M0D6EYKJVKJ6GA2MMD"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"confirmPayment": {
"200": {
"tid-and-amount": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"VERIFYING","message":"The transfer reference was validated. Awaiting final settlement confirmation."} satisfies ConfirmPaymentResponse,
"tid": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8","merchant_order_id":"order-1007","status":"VERIFYING","message":"The transfer reference was validated. Awaiting final settlement confirmation."} satisfies ConfirmPaymentResponse,
},
"400": {
"several-violations": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the 3 violations and send the request again.","request_id":"req_01KJPWD6M0RSRGN19P3CGE15D5","violations":[{"in":"body","pointer":"/amount","message":"must be an integer, without decimals"},{"in":"body","pointer":"/currency","message":"must be one of INR, EGP, MAD, DZD"},{"in":"body","pointer":"/customer/id","message":"is missing"}]} satisfies ValidationProblem,
"unknown-field": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0082DVTYF0MBY7KR7","violations":[{"in":"body","pointer":"/curency","message":"is not a known field"}]} satisfies ValidationProblem,
"malformed-json": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0QP7WPCTCRRA1HKN7","violations":[{"in":"body","pointer":"","message":"is not valid JSON"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"404": {
"payment-not-found": {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payment has this ID.","request_id":"req_01KJPWD6M00PRFYFQETVNTKB3C"} satisfies Problem,
},
"409": {
"wrong-state": {"type":"https://docs.gateway.example/problems/wrong-state","title":"The payment is in the wrong state","status":409,"detail":"The payment is VERIFYING. Read its status before you act on it.","request_id":"req_01KJPWD6M0S53SH19PDVXN7CJB"} satisfies Problem,
},
"413": {
"body-too-large": {"type":"https://docs.gateway.example/problems/body-too-large","title":"The body is too large","status":413,"detail":"Send a smaller body.","request_id":"req_01KJPWD6M06H19VS5Y79YWT6SK"} satisfies Problem,
},
"415": {
"unsupported-media-type": {"type":"https://docs.gateway.example/problems/unsupported-media-type","title":"Unsupported media type","status":415,"detail":"Send the body as JSON, with `Content-Type: application/json`.","request_id":"req_01KJPWD6M0D6EYKJVKJ6GA2MMD"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"getBalance": {
"200": {
"four-currencies": {"merchant_id":10427,"balances":[{"available":18250000,"pending":149900,"currency":"INR"},{"available":960000,"pending":125000,"currency":"EGP"},{"available":410500,"pending":30050,"currency":"MAD"},{"available":0,"pending":0,"currency":"DZD"}],"last_updated_at":"2026-03-02T09:33:40Z"} satisfies Balance,
"after-payment": {"merchant_id":10427,"balances":[{"available":100000000,"pending":0,"currency":"DZD"},{"available":100000000,"pending":0,"currency":"EGP"},{"available":100049900,"pending":0,"currency":"INR"},{"available":100000000,"pending":0,"currency":"MAD"}],"last_updated_at":"2026-03-02T09:03:07Z"} satisfies Balance,
"after-payout": {"merchant_id":10427,"balances":[{"available":100000000,"pending":0,"currency":"DZD"},{"available":100000000,"pending":0,"currency":"EGP"},{"available":98500000,"pending":0,"currency":"INR"},{"available":100000000,"pending":0,"currency":"MAD"}],"last_updated_at":"2026-03-03T10:01:20Z"} satisfies Balance,
"new-merchant": {"merchant_id":10431,"balances":[],"last_updated_at":"2026-03-02T08:00:00Z"} satisfies Balance,
},
"400": {
"unknown-parameter": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0SQ3VFPGD5XMMH9S2","violations":[{"in":"query","pointer":"/currency","message":"is not a query parameter of this operation, which has none"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"createPayout": {
"201": {
"imps-inr": {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"PROCESSING","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z"} satisfies CreatePayoutResponse,
"imps-inr-trusted": {"transaction_id":"out_01KJSJGY70HJC0CNF8AZCPQD8G","merchant_order_id":"withdrawal-2002","status":"PROCESSING","amount":250000,"currency":"INR","created_at":"2026-03-03T10:05:00Z"} satisfies CreatePayoutResponse,
"wallet-egp": {"transaction_id":"out_01KJSJT360KJSG1HTJ6ZSW3F2Z","merchant_order_id":"withdrawal-2003","status":"PROCESSING","amount":80000,"currency":"EGP","created_at":"2026-03-03T10:10:00Z"} satisfies CreatePayoutResponse,
"wallet-mad": {"transaction_id":"out_01KJSK38503BPX4JJMN1VBFZ9J","merchant_order_id":"withdrawal-2004","status":"PROCESSING","amount":20000,"currency":"MAD","created_at":"2026-03-03T10:15:00Z"} satisfies CreatePayoutResponse,
"wallet-dzd": {"transaction_id":"out_01KJSKCD40QVVB1D16N996ET8K","merchant_order_id":"withdrawal-2005","status":"PROCESSING","amount":300000,"currency":"DZD","created_at":"2026-03-03T10:20:00Z"} satisfies CreatePayoutResponse,
},
"400": {
"several-violations": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the 3 violations and send the request again.","request_id":"req_01KJPWD6M0RSRGN19P3CGE15D5","violations":[{"in":"body","pointer":"/amount","message":"must be an integer, without decimals"},{"in":"body","pointer":"/currency","message":"must be one of INR, EGP, MAD, DZD"},{"in":"body","pointer":"/customer/id","message":"is missing"}]} satisfies ValidationProblem,
"unknown-field": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0082DVTYF0MBY7KR7","violations":[{"in":"body","pointer":"/curency","message":"is not a known field"}]} satisfies ValidationProblem,
"malformed-json": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0QP7WPCTCRRA1HKN7","violations":[{"in":"body","pointer":"","message":"is not valid JSON"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"409": {
"order-id-reused": {"type":"https://docs.gateway.example/problems/order-id-reused","title":"The merchant_order_id is already in use","status":409,"detail":"A payment with the merchant_order_id order-1001 exists, created with another callback_url. To repeat it, send the first request unchanged. Use a new merchant_order_id only once that payment is known to have failed, because the customer could otherwise pay twice.","request_id":"req_01KJPWD6M04Q1YHG0MY9G7T9HG","transaction_id":"pay_01KJPWD6M07JTBPZYG4SWFJ2NN","differences":["/callback_url"]} satisfies Problem,
},
"413": {
"body-too-large": {"type":"https://docs.gateway.example/problems/body-too-large","title":"The body is too large","status":413,"detail":"Send a smaller body.","request_id":"req_01KJPWD6M06H19VS5Y79YWT6SK"} satisfies Problem,
},
"415": {
"unsupported-media-type": {"type":"https://docs.gateway.example/problems/unsupported-media-type","title":"Unsupported media type","status":415,"detail":"Send the body as JSON, with `Content-Type: application/json`.","request_id":"req_01KJPWD6M0D6EYKJVKJ6GA2MMD"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
"getPayout": {
"200": {
"processing": {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"PROCESSING","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z"} satisfies Payout,
"succeeded": {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"SUCCESS","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z","finalized_at":"2026-03-03T10:01:20Z"} satisfies Payout,
"succeeded-egp": {"transaction_id":"out_01KJSJT360KJSG1HTJ6ZSW3F2Z","merchant_order_id":"withdrawal-2003","status":"SUCCESS","amount":80000,"currency":"EGP","created_at":"2026-03-03T10:10:00Z","finalized_at":"2026-03-03T10:12:00Z"} satisfies Payout,
"succeeded-mad": {"transaction_id":"out_01KJSK38503BPX4JJMN1VBFZ9J","merchant_order_id":"withdrawal-2004","status":"SUCCESS","amount":20000,"currency":"MAD","created_at":"2026-03-03T10:15:00Z","finalized_at":"2026-03-03T10:16:30Z"} satisfies Payout,
"declined": {"transaction_id":"out_01KJSJGY70HJC0CNF8AZCPQD8G","merchant_order_id":"withdrawal-2002","status":"FAILED","amount":250000,"currency":"INR","created_at":"2026-03-03T10:05:00Z","finalized_at":"2026-03-03T10:06:45Z","decline_reason":"INVALID_ACCOUNT_NUMBER"} satisfies Payout,
"declined-balance": {"transaction_id":"out_01KJSKCD40QVVB1D16N996ET8K","merchant_order_id":"withdrawal-2005","status":"FAILED","amount":300000,"currency":"DZD","created_at":"2026-03-03T10:20:00Z","finalized_at":"2026-03-03T10:20:01Z","decline_reason":"INSUFFICIENT_BALANCE"} satisfies Payout,
},
"400": {
"payout-id-too-long": {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Send the ID exactly as the service returned it.","request_id":"req_01KJPWD6M03J1QVXSCM3H17SDS","violations":[{"in":"path","pointer":"/payout_id","message":"must have at most 255 characters"}]} satisfies ValidationProblem,
},
"401": {
"missing-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"} satisfies Problem,
"unknown-key": {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Invalid API key. Check that it is complete, not revoked, and of this environment.","request_id":"req_01KJPWD6M0H9PEZPZ5C6F0KPFP"} satisfies Problem,
},
"404": {
"payout-not-found": {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payout has this ID.","request_id":"req_01KJPWD6M0W26E0TC5JZX1BV1X"} satisfies Problem,
},
"429": {
"rate-limited": {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"} satisfies Problem,
},
"500": {
"internal-error": {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"} satisfies Problem,
},
"503": {
"overloaded": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"} satisfies Problem,
"shutting-down": {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"The service is restarting. Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M04CC7BA0AQ8CYTD0G"} satisfies Problem,
},
},
} as const;

/** The bodies of each webhook, by webhook and name of the example. */
export const webhookExamples = {
"paymentExtraDataNeeded": {
"extra-data-needed": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"EXTRA_DATA_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","clarify":["name","phone"]} satisfies PaymentExtraDataNeeded,
"extra-data-needed-account": {"transaction_id":"pay_01KJPXTZF0XEPF9F0FNXTMD643","merchant_order_id":"order-1006","status":"EXTRA_DATA_NEEDED","amount":25000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:25:00Z","clarify":["account_number","email"]} satisfies PaymentExtraDataNeeded,
},
"paymentConfirmationNeeded": {
"confirmation-needed": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"PAY_CONFIRMATION_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[49900,50000]},"confirm":["amount","tid"]} satisfies PaymentConfirmationNeeded,
"confirmation-needed-at-once": {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8","merchant_order_id":"order-1007","status":"PAY_CONFIRMATION_NEEDED","amount":100000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:30:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[100000]},"confirm":["tid"]} satisfies PaymentConfirmationNeeded,
},
"paymentSucceeded": {
"succeeded": {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"SUCCESS","amount":49900,"amount_paid":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","finalized_at":"2026-03-02T09:03:05Z"} satisfies PaymentSucceeded,
"redirect-succeeded": {"transaction_id":"pay_01KJPWZGJ0XXGKNY0SV5D6TRHE","merchant_order_id":"order-1003","status":"SUCCESS","amount":30050,"amount_paid":30050,"currency":"MAD","payment_method":"WALLET_MA","created_at":"2026-03-02T09:10:00Z","finalized_at":"2026-03-02T09:11:12Z"} satisfies PaymentSucceeded,
"redirect-succeeded-egp": {"transaction_id":"pay_01KJPWPBK0KMTKXS3D4FD4T42J","merchant_order_id":"order-1002","status":"SUCCESS","amount":125000,"amount_paid":125000,"currency":"EGP","payment_method":"WALLET_EG","created_at":"2026-03-02T09:05:00Z","finalized_at":"2026-03-02T09:07:30Z"} satisfies PaymentSucceeded,
},
"paymentFailed": {
"declined": {"transaction_id":"pay_01KJPXHTG03HJFMXR0ZMNTAH3W","merchant_order_id":"order-1005","status":"FAILED","amount":1999900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:20:00Z","finalized_at":"2026-03-02T09:22:10Z","decline_reason":"INSUFFICIENT_FUNDS"} satisfies PaymentFailed,
"redirect-expired": {"transaction_id":"pay_01KJPX8NH0DFTCBPQKA9PKEG05","merchant_order_id":"order-1004","status":"FAILED","amount":450000,"currency":"DZD","payment_method":"WALLET_DZ","created_at":"2026-03-02T09:15:00Z","finalized_at":"2026-03-02T09:45:00Z","decline_reason":"TIMEOUT_EXPIRED"} satisfies PaymentFailed,
"redirect-declined": {"transaction_id":"pay_01KJPYD9D0VW2T4Z9Q94C8T9A6","merchant_order_id":"order-1008","status":"FAILED","amount":75000,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:35:00Z","finalized_at":"2026-03-02T09:37:20Z","decline_reason":"BANK_REJECTED"} satisfies PaymentFailed,
},
"payoutSucceeded": {
"succeeded": {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"SUCCESS","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z","finalized_at":"2026-03-03T10:01:20Z"} satisfies PayoutSucceeded,
"succeeded-egp": {"transaction_id":"out_01KJSJT360KJSG1HTJ6ZSW3F2Z","merchant_order_id":"withdrawal-2003","status":"SUCCESS","amount":80000,"currency":"EGP","created_at":"2026-03-03T10:10:00Z","finalized_at":"2026-03-03T10:12:00Z"} satisfies PayoutSucceeded,
"succeeded-mad": {"transaction_id":"out_01KJSK38503BPX4JJMN1VBFZ9J","merchant_order_id":"withdrawal-2004","status":"SUCCESS","amount":20000,"currency":"MAD","created_at":"2026-03-03T10:15:00Z","finalized_at":"2026-03-03T10:16:30Z"} satisfies PayoutSucceeded,
},
"payoutFailed": {
"declined": {"transaction_id":"out_01KJSJGY70HJC0CNF8AZCPQD8G","merchant_order_id":"withdrawal-2002","status":"FAILED","amount":250000,"currency":"INR","created_at":"2026-03-03T10:05:00Z","finalized_at":"2026-03-03T10:06:45Z","decline_reason":"INVALID_ACCOUNT_NUMBER"} satisfies PayoutFailed,
"declined-balance": {"transaction_id":"out_01KJSKCD40QVVB1D16N996ET8K","merchant_order_id":"withdrawal-2005","status":"FAILED","amount":300000,"currency":"DZD","created_at":"2026-03-03T10:20:00Z","finalized_at":"2026-03-03T10:20:01Z","decline_reason":"INSUFFICIENT_BALANCE"} satisfies PayoutFailed,
},
} as const;
