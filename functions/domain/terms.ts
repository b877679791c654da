/** Of the terms that the dashboard shows. Whoever changes them changes this too. */
export const termsVersion = '2026-11-21';
