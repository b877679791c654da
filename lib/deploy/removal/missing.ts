const names = ['ResourceNotFoundException', 'NotFoundException', 'NoSuchBucket', 'NotFound'];

/** Whether the resource that `look` requests exists. */
export async function found(look: Promise<unknown>): Promise<boolean> {
  return (await unlessMissing(look)) !== undefined;
}

/** Returns the answer, or undefined if AWS says that the resource does not exist. */
export async function unlessMissing<Answer>(look: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
}
