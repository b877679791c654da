import * as z from 'zod';
import type { AwsAnswer } from './substitutes.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type PrintMail = (mail: Mail) => void;

const data = z.object({ Data: z.string() });
const outboundEmail = z.object({
  FromEmailAddress: z.string(),
  Destination: z.object({ ToAddresses: z.tuple([z.string()]) }),
  Content: z.object({ Simple: z.object({ Subject: data, Body: z.object({ Text: data }) }) }),
});

/** Implements as much of SES's `SendEmail` as the service uses. */
export function sendEmail(printMail: PrintMail, body: unknown): AwsAnswer {
  const { data: email } = outboundEmail.safeParse(body);
  if (!email) return { error: 'BadRequestException' };
  const { Subject, Body } = email.Content.Simple;
  printMail({ to: email.Destination.ToAddresses[0], subject: Subject.Data, text: Body.Text.Data });
  return { MessageId: 'local' };
}
