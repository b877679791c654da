/** The version of the terms that the dashboard shows. Change it whenever you change the terms. */
export const termsVersion = '2026-11-21';
