import type { RecipientTexts } from './text.ts';

const WAIT = 'Vous n’avez rien à faire. Nous l’enverrons de nouveau.';

export const fr: RecipientTexts = {
  CURRENCY_NOT_SUPPORTED: {
    title: 'Nous ne pouvons pas vous payer dans cette devise',
    advice: 'Contactez-nous.',
  },
  METHOD_NOT_SUPPORTED: {
    title: 'Nous ne pouvons pas vous payer de cette façon',
    advice: 'Choisissez une autre façon d’être payé.',
  },
  INVALID_AMOUNT: {
    title: 'Nous ne pouvons pas envoyer ce montant',
    advice: 'Demandez un autre montant, ou contactez-nous.',
  },
  INVALID_ACCOUNT_DETAILS: {
    title: 'Votre compte est introuvable',
    advice: 'Vérifiez les coordonnées de votre compte, et communiquez-nous les bonnes.',
  },
  INSUFFICIENT_BALANCE: { title: 'Votre versement est retardé', advice: WAIT },
  LIMIT_EXCEEDED: {
    title: 'Votre versement dépasse un plafond',
    advice: 'Demandez un montant moins élevé, ou contactez-nous.',
  },
  CHANNEL_DOWN: { title: 'Votre banque est injoignable', advice: WAIT },
  CHANNEL_OVERLOADED: { title: 'Trop de versements sont en cours en ce moment', advice: WAIT },
  BANK_REJECTED: {
    title: 'Votre banque a refusé le versement',
    advice: 'Demandez-lui la raison, ou indiquez-nous un autre compte.',
  },
  FRAUD_SUSPECTED: { title: 'Nous n’avons pas pu effectuer votre versement', advice: 'Contactez-nous.' },
  INTERNAL_ERROR: { title: 'Une erreur s’est produite', advice: WAIT },
  INVALID_ACCOUNT_NUMBER: {
    title: 'Votre numéro de compte est incorrect',
    advice: 'Vérifiez votre numéro de compte, et communiquez-nous le bon.',
  },
  UNKNOWN: { title: 'Votre versement n’a pas abouti', advice: 'Contactez-nous.' },
};
