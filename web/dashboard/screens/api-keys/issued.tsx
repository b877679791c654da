import { SecretOnce } from '../../parts/copy.tsx';

export interface IssuedKey {
  readonly keyId: string;
  readonly name: string;
  readonly apiKey: string;
}

export function Issued({ name, apiKey }: IssuedKey) {
  return (
    <section class="panel" aria-label="New key">
      <SecretOnce label={`API key “${name}”`} text={apiKey} />
      <p>
        Keep it where your software keeps its secrets. To try it, put it into <code>KEY</code> and the address of the
        API, which whoever runs this service tells you, into <code>API</code>:
      </p>
      <pre tabIndex={0} aria-label="Command to try the key">
        {'curl "$API/api/practice/sessions?limit=1" -H "Authorization: Bearer $KEY"'}
      </pre>
    </section>
  );
}
