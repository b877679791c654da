/** For the DynamoDB client, which makes one even though endpoint discovery is off. The real one is 8 kB. */
export class EndpointCache {}
