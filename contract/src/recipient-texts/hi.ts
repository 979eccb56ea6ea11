import type { RecipientTexts } from './text.ts';

const WAIT = 'आपको कुछ नहीं करना है। हम इसे फिर से भेजेंगे।';

export const hi: RecipientTexts = {
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
