/** Whether money moves: a sandbox stage takes sandbox keys only, a live one live keys only. */
export const modes = ['sandbox', 'live'] as const;
export type Mode = (typeof modes)[number];
