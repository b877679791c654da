const names = ['ResourceNotFoundException', 'NotFoundException', 'NoSuchBucket', 'NotFound'];

/** Whether what `look` looks at is there. */
export async function found(look: Promise<unknown>): Promise<boolean> {
  return (await unlessMissing(look)) !== undefined;
}

/** Undefined if AWS says that there is no such thing. */
export async function unlessMissing<Answer>(look: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
}
