interface Path {
  readonly node: Node;
  readonly parent: Node | null;
}

interface Node {
  readonly type: string;
  readonly callee?: Node;
  readonly expression?: Node;
  readonly name?: string;
}

/** A Stryker plugin that skips texts on which no behavior depends. It keeps texts of conditions, which are templates. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'without-meaning',
    value: {
      shouldIgnore({ node, parent }: Path): string | undefined {
        // Types and zod check names. A comparison with a text is mutated as a whole.
        if (node.type === 'StringLiteral') return 'a name';
        const call = node.type === 'ExpressionStatement' ? node.expression : node;
        if (call?.type === 'CallExpression' && /^log[A-Z]/.test(call.callee?.name ?? '')) return 'a log line';
        if (node.type === 'TemplateLiteral' && parent?.type === 'NewExpression') return 'the message of an error';
        return undefined;
      },
    },
  },
];
