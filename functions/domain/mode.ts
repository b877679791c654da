/** Whether real money moves. A stage accepts only API keys of its own mode. */
export const modes = ['sandbox', 'live'] as const;
export type Mode = (typeof modes)[number];
