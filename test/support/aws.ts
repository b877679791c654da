/** What an AWS client needs to talk to a service on this machine. */
export function awsConfig(endpoint: string) {
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}
