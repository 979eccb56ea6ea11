import type { PayerTexts, RecipientTexts } from './text.ts';

export const payer: PayerTexts = {
  CURRENCY_NOT_SUPPORTED: { title: 'لا يمكن الدفع بهذه العملة بهذه الطريقة', advice: 'اختر طريقة دفع أخرى.' },
  METHOD_NOT_SUPPORTED: { title: 'طريقة الدفع هذه غير متاحة', advice: 'اختر طريقة دفع أخرى.' },
  INVALID_AMOUNT: { title: 'لا يمكن دفع هذا المبلغ بهذه الطريقة', advice: 'اختر طريقة دفع أخرى.' },
  INVALID_ACCOUNT_DETAILS: {
    title: 'لم يتم العثور على حسابك',
    advice: 'تحقق من معرّف UPI أو رقم الهاتف أو رقم الحساب، ثم أعد المحاولة.',
  },
  INVALID_CUSTOMER_DETAILS: {
    title: 'بعض بياناتك ناقصة أو غير صحيحة',
    advice: 'تحقق من اسمك ورقم هاتفك وبريدك الإلكتروني، ثم أعد المحاولة.',
  },
  LIMIT_EXCEEDED: {
    title: 'لقد بلغت الحد المسموح به للمدفوعات',
    advice: 'ادفع مبلغًا أقل، أو انتظر حتى يتجدد حدك اليومي أو الشهري.',
  },
  CHANNEL_DOWN: { title: 'تعذّر الاتصال بالبنك', advice: 'انتظر دقيقة، ثم أعد المحاولة.' },
  CHANNEL_OVERLOADED: { title: 'عدد المدفوعات كبير في الوقت الحالي', advice: 'أعد المحاولة لاحقًا.' },
  BANK_REJECTED: { title: 'رفض البنك عملية الدفع', advice: 'اسأل البنك عن السبب، أو اختر طريقة دفع أخرى.' },
  KYC_BLOCKED: {
    title: 'لم يتم التحقق من هويتك بعد',
    advice: 'وثّق هويتك لدى البنك أو المحفظة، ثم أعد المحاولة.',
  },
  TIMEOUT_EXPIRED: { title: 'انتهت مهلة الدفع', advice: 'أعد المحاولة.' },
  INTERNAL_ERROR: { title: 'حدث خطأ ما', advice: 'أعد المحاولة. إذا تكرر الخطأ، فتواصل معنا.' },
  CANCELLED_BY_CUSTOMER: { title: 'لقد ألغيت عملية الدفع', advice: 'يمكنك إعادة المحاولة في أي وقت.' },
  INSUFFICIENT_FUNDS: { title: 'رصيد حسابك غير كافٍ', advice: 'ادفع من حساب آخر، أو أضف رصيدًا إلى هذا الحساب.' },
  UNKNOWN: { title: 'لم تتم عملية الدفع', advice: 'اختر طريقة دفع أخرى، أو تواصل معنا.' },
};

const WAIT = 'لا يلزمك فعل أي شيء. سنرسلها مرة أخرى.';

export const recipient: RecipientTexts = {
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
