/** Lambda's credentials are environment variables. The SDK's other sources would double every bundle. */
export function defaultProvider() {
  return async () => credentialsIn(process.env);
}

export function credentialsIn({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
}: NodeJS.ProcessEnv) {
  if (!accessKeyId || !secretAccessKey)
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
