import type { PayerTexts, RecipientTexts } from './text.ts';

export const payer: PayerTexts = {
  CURRENCY_NOT_SUPPORTED: {
    title: 'Ce moyen de paiement n’accepte pas cette devise',
    advice: 'Choisissez un autre moyen de paiement.',
  },
  METHOD_NOT_SUPPORTED: {
    title: 'Ce moyen de paiement n’est pas disponible',
    advice: 'Choisissez un autre moyen de paiement.',
  },
  INVALID_AMOUNT: {
    title: 'Ce moyen de paiement n’accepte pas ce montant',
    advice: 'Choisissez un autre moyen de paiement.',
  },
  INVALID_ACCOUNT_DETAILS: {
    title: 'Votre compte est introuvable',
    advice: 'Vérifiez votre identifiant UPI, votre numéro de téléphone ou de compte, puis réessayez.',
  },
  INVALID_CUSTOMER_DETAILS: {
    title: 'Certaines de vos informations sont manquantes ou incorrectes',
    advice: 'Vérifiez votre nom, votre numéro de téléphone et votre adresse e-mail, puis réessayez.',
  },
  LIMIT_EXCEEDED: {
    title: 'Vous avez atteint votre plafond de paiement',
    advice: 'Payez un montant moins élevé, ou attendez le renouvellement de votre plafond quotidien ou mensuel.',
  },
  CHANNEL_DOWN: { title: 'Votre banque est injoignable', advice: 'Patientez une minute, puis réessayez.' },
  CHANNEL_OVERLOADED: { title: 'Trop de paiements sont en cours en ce moment', advice: 'Réessayez plus tard.' },
  BANK_REJECTED: {
    title: 'Votre banque a refusé le paiement',
    advice: 'Demandez-lui la raison, ou choisissez un autre moyen de paiement.',
  },
  KYC_BLOCKED: {
    title: 'Votre identité n’a pas encore été vérifiée',
    advice: 'Faites vérifier votre identité par votre banque ou votre portefeuille, puis réessayez.',
  },
  TIMEOUT_EXPIRED: { title: 'Le délai de paiement est dépassé', advice: 'Réessayez.' },
  INTERNAL_ERROR: {
    title: 'Une erreur s’est produite',
    advice: 'Réessayez. Si l’erreur persiste, contactez-nous.',
  },
  CANCELLED_BY_CUSTOMER: {
    title: 'Vous avez annulé le paiement',
    advice: 'Vous pouvez réessayer à tout moment.',
  },
  INSUFFICIENT_FUNDS: {
    title: 'Le solde de votre compte est insuffisant',
    advice: 'Payez avec un autre compte, ou approvisionnez celui-ci.',
  },
  UNKNOWN: {
    title: 'Votre paiement n’a pas abouti',
    advice: 'Choisissez un autre moyen de paiement, ou contactez-nous.',
  },
};

const WAIT = 'Vous n’avez rien à faire. Nous l’enverrons de nouveau.';

export const recipient: RecipientTexts = {
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
