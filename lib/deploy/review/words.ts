import { fixed } from './fixed-properties.ts';

/** What an update does to one resource. */
export interface ResourceChange {
  readonly id: string;
  readonly type: string;
  readonly does: 'add' | 'change' | 'replace' | 'may replace' | 'delete' | 'forget';
  /** Set if it may be replaced: the properties for which AWS leaves that open. */
  readonly properties?: readonly string[];
}

/** Types whose loss people notice, and what a replacement means for them. */
const noticed: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'a new, empty table is used, and its rows stay in the old one',
  'AWS::S3::Bucket': 'a new, empty bucket is used, and its files stay in the old one',
  'AWS::Cognito::UserPool': 'nobody in the old one can sign in',
  'AWS::KMS::Key': 'what the old one encrypted cannot be read with the new one',
  'AWS::SecretsManager::Secret': 'its value is lost',
  'AWS::Events::EventBus': 'events in flight are lost',
  'AWS::SQS::Queue': 'messages in the old one are lost; the sweep sends them again',
  'AWS::ApiGatewayV2::Api': 'its address changes, and pages answer 404 until CloudFront has it',
  'AWS::ApiGatewayV2::Route': 'calls answer 404 while it is replaced',
  'AWS::CloudFront::Distribution': 'its address changes, and links stop working',
  'AWS::Cognito::UserPoolDomain': 'nobody can sign in while it is replaced',
  // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/2513
  'AWS::Logs::DeliverySource': 'the deploy fails, because AWS allows one for each distribution',
};

/** Says in words what an update does, worst first: a line for each kind of loss, and counts for the rest. */
export function wordsOf(changes: readonly ResourceChange[]): string[] {
  const losses = Map.groupBy(changes.filter(isLoss), lossInWords);
  const counted = (label: string, wanted: ResourceChange['does'], note = '') => {
    const rest = changes.filter((change) => change.does === wanted && !isLoss(change));
    const counts = [...Map.groupBy(rest, ({ type }) => plain(type))].map(([type, each]) => `${each.length} ${type}`);
    return counts.length === 0 ? [] : [`${label} ${counts.sort().join(', ')}${note}`];
  };
  const words = [
    ...[...losses].map(([line, alike]) => line.replace('…', namesOf(alike))).sort(),
    ...counted('replaces ', 'replace'),
    ...counted('may replace', 'may replace', '. AWS leaves it open, but changes these in place or without a loss.'),
    ...counted('removes  ', 'delete'),
    ...counted('changes  ', 'change'),
    ...counted('adds     ', 'add'),
  ];
  return words.length === 0 ? ['Changes nothing.'] : words;
}

/**
 * For a property that it can change in place, AWS leaves this open, too, if the value comes from a changing resource: a
 * route's target, whenever its function has new code.
 */
function isLoss({ type, does, properties = [] }: ResourceChange): boolean {
  if (does === 'forget') return true;
  if (noticed[type] === undefined || does === 'add' || does === 'change') return false;
  return does !== 'may replace' || properties.length === 0 || properties.some((name) => fixed[type]?.includes(name));
}

/** Replaces the resource with …, so that equal lines can be merged. */
function lossInWords({ type, does, properties = [] }: ResourceChange): string {
  const name = `${plain(type)} …`;
  const meaning = noticed[type];
  if (does === 'forget') return `DROPS     ${name}: AWS keeps it, and only \`destroy\` removes it.`;
  if (does === 'delete') return `REMOVES   ${name}.`;
  if (does === 'replace') return `REPLACES  ${name}: ${meaning}.`;
  const reason = properties.length === 0 ? '' : ` if its ${properties.join(' or ')} changes`;
  return `MAY REPLACE ${name}${reason}, which AWS knows only during the deploy: ${meaning}.`;
}

/** `AWS::SQS::Queue` becomes `SQS::Queue`. */
export const plain = (type: string) => type.replace(/^AWS::/, '');

function namesOf(alike: readonly ResourceChange[]): string {
  const names = alike.map(({ id }) => id).sort();
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
