const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** Patterns that any regex engine understands. */
export const patterns: Readonly<Record<string, string>> = {
  sessionId: `^ses_${ulid}$`,
  endpointId: '^whe_[0-9A-Za-z]{20}$',
  practiceId: '^prc_[0-9A-Za-z]{20}$',
  eventId: `^evt_${ulid}(_[0-9]+)?$`,
  id: `^evt_${ulid}(_[0-9]+)?$`,
  cursor: '^cur_[0-9A-Za-z_-]+$',
  nextCursor: '^cur_[0-9A-Za-z_-]+$',
  url: '^https?://[^\\x00-\\x20\\x7f]+$',
  signingSecret: '^whsec_[0-9A-Za-z+/]+=*$',
};

export const timePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$';
export const givenTimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$';
