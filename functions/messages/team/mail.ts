import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { awsClient } from '../../aws-client.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

export function mailSender(from: string, client = new SESv2Client(awsClient)): SendMail {
  return async ({ to, subject, text }) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text } } } },
      }),
    );
  };
}

/** Does not retry: SES may have sent an email even if its response was lost. */
export function onceMailSender(from: string): SendMail {
  return mailSender(from, new SESv2Client({ ...awsClient, maxAttempts: 1 }));
}
