import type { RecipientTexts } from './text.ts';

const WAIT = 'لا يلزمك فعل أي شيء. سنرسلها مرة أخرى.';

export const ar: RecipientTexts = {
  CURRENCY_NOT_SUPPORTED: { title: 'لا يمكننا أن ندفع لك بهذه العملة', advice: 'تواصل معنا.' },
  METHOD_NOT_SUPPORTED: { title: 'لا يمكننا أن ندفع لك بهذه الطريقة', advice: 'اختر طريقة أخرى لاستلام المبلغ.' },
  INVALID_AMOUNT: { title: 'لا يمكننا إرسال هذا المبلغ', advice: 'اطلب مبلغًا آخر، أو تواصل معنا.' },
  INVALID_ACCOUNT_DETAILS: {
    title: 'لم يتم العثور على حسابك',
    advice: 'تحقق من بيانات حسابك، وأرسل إلينا البيانات الصحيحة.',
  },
  INSUFFICIENT_BALANCE: { title: 'تأخرت دفعتك', advice: WAIT },
  LIMIT_EXCEEDED: { title: 'دفعتك تتجاوز الحد المسموح به', advice: 'اطلب مبلغًا أقل، أو تواصل معنا.' },
  CHANNEL_DOWN: { title: 'تعذّر الاتصال بالبنك', advice: WAIT },
  CHANNEL_OVERLOADED: { title: 'عدد الدفعات المرسلة كبير في الوقت الحالي', advice: WAIT },
  BANK_REJECTED: { title: 'رفض البنك استلام الدفعة', advice: 'اسأل البنك عن السبب، أو أعطنا حسابًا آخر.' },
  FRAUD_SUSPECTED: { title: 'لم نتمكن من إرسال دفعتك', advice: 'تواصل معنا.' },
  INTERNAL_ERROR: { title: 'حدث خطأ ما', advice: WAIT },
  INVALID_ACCOUNT_NUMBER: { title: 'رقم حسابك غير صحيح', advice: 'تحقق من رقم حسابك، وأرسل إلينا الرقم الصحيح.' },
  UNKNOWN: { title: 'لم تصل دفعتك', advice: 'تواصل معنا.' },
};
