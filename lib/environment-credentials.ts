/**
 * Replaces the SDK's default credential provider in every bundle: Lambda puts credentials into the environment, and the
 * other sources (profiles, SSO, instance metadata) are half of a function's code. Throws if they are missing.
 */
export function defaultProvider() {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey)
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment');
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  };
}
