import type { PayerTexts, RecipientTexts } from './text.ts';

export const payer: PayerTexts = {
  CURRENCY_NOT_SUPPORTED: {
    title: 'इस तरीके से इस मुद्रा में भुगतान नहीं हो सकता',
    advice: 'भुगतान का कोई दूसरा तरीका चुनें।',
  },
  METHOD_NOT_SUPPORTED: { title: 'भुगतान का यह तरीका उपलब्ध नहीं है', advice: 'भुगतान का कोई दूसरा तरीका चुनें।' },
  INVALID_AMOUNT: {
    title: 'इस तरीके से इस राशि का भुगतान नहीं हो सकता',
    advice: 'भुगतान का कोई दूसरा तरीका चुनें।',
  },
  INVALID_ACCOUNT_DETAILS: {
    title: 'आपका खाता नहीं मिला',
    advice: 'अपनी UPI ID, फ़ोन नंबर या खाता संख्या जाँचें और फिर से कोशिश करें।',
  },
  INVALID_CUSTOMER_DETAILS: {
    title: 'आपकी कुछ जानकारी अधूरी या गलत है',
    advice: 'अपना नाम, फ़ोन नंबर और ई-मेल पता जाँचें और फिर से कोशिश करें।',
  },
  LIMIT_EXCEEDED: {
    title: 'आपकी भुगतान सीमा पूरी हो गई है',
    advice: 'कम राशि का भुगतान करें, या अपनी दैनिक या मासिक सीमा के फिर से शुरू होने का इंतज़ार करें।',
  },
  CHANNEL_DOWN: { title: 'आपके बैंक से संपर्क नहीं हो पा रहा है', advice: 'एक मिनट रुकें और फिर से कोशिश करें।' },
  CHANNEL_OVERLOADED: { title: 'इस समय बहुत से लोग भुगतान कर रहे हैं', advice: 'बाद में फिर से कोशिश करें।' },
  BANK_REJECTED: {
    title: 'आपके बैंक ने भुगतान की अनुमति नहीं दी',
    advice: 'अपने बैंक से कारण पूछें, या भुगतान का कोई दूसरा तरीका चुनें।',
  },
  KYC_BLOCKED: {
    title: 'आपकी पहचान अभी सत्यापित नहीं हुई है',
    advice: 'अपने बैंक या वॉलेट में अपनी पहचान सत्यापित करें और फिर से कोशिश करें।',
  },
  TIMEOUT_EXPIRED: { title: 'भुगतान का समय समाप्त हो गया', advice: 'फिर से कोशिश करें।' },
  INTERNAL_ERROR: {
    title: 'कुछ गड़बड़ हो गई',
    advice: 'फिर से कोशिश करें। यदि फिर भी न हो, तो हमसे संपर्क करें।',
  },
  CANCELLED_BY_CUSTOMER: { title: 'आपने भुगतान रद्द कर दिया', advice: 'आप कभी भी फिर से कोशिश कर सकते हैं।' },
  INSUFFICIENT_FUNDS: {
    title: 'आपके खाते में पर्याप्त राशि नहीं है',
    advice: 'किसी दूसरे खाते से भुगतान करें, या इस खाते में राशि जोड़ें।',
  },
  UNKNOWN: {
    title: 'आपका भुगतान पूरा नहीं हुआ',
    advice: 'भुगतान का कोई दूसरा तरीका चुनें, या हमसे संपर्क करें।',
  },
};

const WAIT = 'आपको कुछ नहीं करना है। हम इसे फिर से भेजेंगे।';

export const recipient: RecipientTexts = {
  CURRENCY_NOT_SUPPORTED: { title: 'हम आपको इस मुद्रा में भुगतान नहीं कर सकते', advice: 'हमसे संपर्क करें।' },
  METHOD_NOT_SUPPORTED: {
    title: 'हम आपको इस तरीके से भुगतान नहीं कर सकते',
    advice: 'राशि पाने का कोई दूसरा तरीका चुनें।',
  },
  INVALID_AMOUNT: { title: 'हम यह राशि नहीं भेज सकते', advice: 'कोई दूसरी राशि माँगें, या हमसे संपर्क करें।' },
  INVALID_ACCOUNT_DETAILS: {
    title: 'आपका खाता नहीं मिला',
    advice: 'अपने खाते की जानकारी जाँचें और हमें सही जानकारी बताएँ।',
  },
  INSUFFICIENT_BALANCE: { title: 'आपके भुगतान में देरी हो रही है', advice: WAIT },
  LIMIT_EXCEEDED: { title: 'आपका भुगतान सीमा से अधिक है', advice: 'कम राशि माँगें, या हमसे संपर्क करें।' },
  CHANNEL_DOWN: { title: 'आपके बैंक से संपर्क नहीं हो पा रहा है', advice: WAIT },
  CHANNEL_OVERLOADED: { title: 'इस समय बहुत से भुगतान भेजे जा रहे हैं', advice: WAIT },
  BANK_REJECTED: {
    title: 'आपके बैंक ने भुगतान स्वीकार नहीं किया',
    advice: 'अपने बैंक से कारण पूछें, या हमें कोई दूसरा खाता बताएँ।',
  },
  FRAUD_SUSPECTED: { title: 'हम आपका भुगतान नहीं भेज सके', advice: 'हमसे संपर्क करें।' },
  INTERNAL_ERROR: { title: 'कुछ गड़बड़ हो गई', advice: WAIT },
  INVALID_ACCOUNT_NUMBER: {
    title: 'आपकी खाता संख्या गलत है',
    advice: 'अपनी खाता संख्या जाँचें और हमें सही संख्या बताएँ।',
  },
  UNKNOWN: { title: 'आपका भुगतान आप तक नहीं पहुँचा', advice: 'हमसे संपर्क करें।' },
};
