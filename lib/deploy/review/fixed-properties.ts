/** The properties that CloudFormation cannot change in place: `createOnlyProperties` of AWS's resource schemas. */
export const fixed: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolClient': ['UserPoolId', 'GenerateSecret'],
  'AWS::Cognito::UserPoolDomain': ['UserPoolId', 'Domain'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
  'AWS::ApiGatewayV2::Route': ['ApiId'],
  'AWS::ApiGatewayV2::Integration': ['ApiId'],
  'AWS::CloudFront::Distribution': [],
  'AWS::Logs::DeliverySource': ['Name'],
};
