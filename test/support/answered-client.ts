interface Sent {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Throws to answer with an error. */
export type Answer = (command: string, input: Sent['input']) => object | undefined;

interface Client {
  readonly middlewareStack: {
    add(
      middleware: (
        next: unknown,
        context: { readonly commandName?: string },
      ) => (args: { readonly input: object }) => Promise<{ readonly output: never; readonly response: unknown }>,
      options: { readonly step: 'initialize'; readonly priority: 'high' },
    ): void;
  };
}

/** Answers the commands of an AWS client in place of AWS; records what was sent, in order. */
export function answered<Answered>(client: Answered, answer: Answer, sent: Sent[] = []) {
  (client as Client).middlewareStack.add(
    (_next, { commandName }) =>
      async ({ input }) => {
        const command = (commandName ?? '').replace(/Command$/, '');
        sent.push({ command, input: input as Sent['input'] });
        const output = answer(command, input as Sent['input']);
        if (!output) throw new Error(`no answer to ${command}`);
        return { output: { $metadata: {}, ...output } as never, response: {} };
      },
    { step: 'initialize', priority: 'high' },
  );
  return { client, sent };
}
