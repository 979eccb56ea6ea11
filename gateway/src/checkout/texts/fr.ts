import type { PageTexts } from './text.ts';

export const fr: PageTexts = {
  language: 'Langue',
  heading: 'Payer {merchant}',
  title: 'Payer {amount} à {merchant}',
  error: 'Erreur',
  pay: 'Payer {amount}',
  cancel: 'Annuler et revenir chez {merchant}',
  method: 'Moyen de paiement',
  order: 'Commande',
  amount: 'Montant',
  timeLeft: 'Temps restant',
  until: '{left} (jusqu’à {time})',
  checkEntry: 'Vérifiez cette saisie',
  checkEntries: 'Vérifiez ces saisies',
  inApp: 'Payer dans une application UPI',
  fromAccount: 'Ou payer depuis votre compte',
  openApp: 'Ouvrir l’application UPI sur ce téléphone',
  qrCode: 'Code QR pour payer {amount}',
  paidInApp: 'J’ai payé dans l’application',
  backTo: 'Revenir chez {merchant}',
  closePage: 'Vous pouvez fermer cette page.',
  openPayment: 'Ouvrir le paiement',
  reference: 'Référence du paiement : {id}',
  sandbox: 'Bac à sable : aucun argent ne circule.',
  request: 'Requête {id}',
  sending: 'Envoi…',
  leftToPay: 'Temps restant pour payer : {left}',
  declined: 'Paiement non effectué',
  fields: {
    name: {
      label: 'Nom complet',
      missing: 'Saisissez votre nom complet',
      wrong: 'Saisissez un nom de 255 caractères au plus',
    },
    email: {
      label: 'Adresse e-mail',
      missing: 'Saisissez votre adresse e-mail',
      wrong: 'Saisissez une adresse e-mail de la forme nom@exemple.com',
    },
    phone: {
      label: 'Numéro de téléphone',
      hint: 'Avec l’indicatif du pays, par exemple {code}.',
      missing: 'Saisissez votre numéro de téléphone',
      wrong: 'Saisissez le numéro de téléphone en chiffres, avec l’indicatif du pays, par exemple {code}',
    },
    account_number: {
      label: 'Numéro de compte',
      missing: 'Saisissez votre numéro de compte',
      wrong: 'Vérifiez le numéro de compte : sa forme n’est pas correcte',
    },
    upi_address: {
      label: 'Adresse UPI',
      hint: 'Par exemple nom@banque. Elle se trouve dans votre application UPI.',
      missing: 'Saisissez votre adresse UPI',
      wrong: 'Saisissez une adresse UPI de la forme nom@banque',
    },
    other: { label: '{name}', missing: 'À saisir : {name}', wrong: 'À vérifier : {name}' },
  },
  endings: {
    success: { title: 'Paiement effectué', text: 'Votre paiement à {merchant} a abouti.' },
    verifying: {
      title: 'Nous confirmons votre paiement',
      text: 'Cela peut prendre un moment. Vous pouvez rester ici ou revenir chez {merchant}, qui sera informé du résultat.',
    },
    expiring: {
      title: 'Ce paiement a expiré',
      text: 'Nous nous assurons que rien n’est débité. Vous pouvez rester ici ou revenir chez {merchant}, qui sera informé du résultat.',
    },
    cancelling: {
      title: 'Nous annulons votre paiement',
      text: 'Nous nous assurons que rien n’est débité. Vous pouvez rester ici ou revenir chez {merchant}, qui sera informé du résultat.',
    },
    under_way: { title: 'Ce paiement est en cours', text: '{merchant} vous indique la suite.' },
    cancelled: { title: 'Paiement annulé', text: 'Vous avez annulé ce paiement. Rien n’a été débité.' },
    expired: {
      title: 'Ce paiement a expiré',
      text: 'Le délai de paiement est écoulé. Revenez chez {merchant} pour commencer un nouveau paiement.',
    },
  },
  refusals: {
    unknown: {
      title: 'Paiement introuvable',
      text: 'Le lien est peut-être incomplet. Retournez à la boutique et recommencez le paiement.',
    },
    unreadable: {
      title: 'Le formulaire n’a pas pu être lu',
      text: 'Rien n’a changé. Ouvrez de nouveau le paiement et envoyez le formulaire à partir de là.',
    },
    'other-site': {
      title: 'Ce formulaire vient d’un autre site',
      text: 'Rien n’a changé. Ouvrez de nouveau le paiement et envoyez le formulaire à partir de là.',
    },
    'other-host': {
      title: 'Ce n’est pas l’adresse de la page de paiement',
      text: 'Retournez à la boutique et ouvrez le paiement à partir de là.',
    },
    'too-large': {
      title: 'Le formulaire est trop volumineux',
      text: 'Rien n’a changé. Ouvrez de nouveau le paiement et saisissez moins de texte.',
    },
    'wrong-type': {
      title: 'Le formulaire n’a pas pu être lu',
      text: 'Rien n’a changé. Ouvrez de nouveau le paiement et envoyez le formulaire à partir de là.',
    },
    'too-many': { title: 'Trop de requêtes', text: 'Patientez un instant, puis ouvrez de nouveau le paiement.' },
    unavailable: {
      title: 'La page de paiement est momentanément indisponible',
      text: 'Patientez un instant, puis ouvrez de nouveau le paiement pour voir où il en est.',
    },
    failed: {
      title: 'Une erreur s’est produite ici',
      text: 'Ouvrez de nouveau le paiement pour voir où il en est avant de payer une seconde fois.',
    },
  },
  methods: {
    WALLET_EG: 'Portefeuille en Égypte',
    WALLET_MA: 'Portefeuille au Maroc',
    WALLET_DZ: 'Portefeuille en Algérie',
  },
};
