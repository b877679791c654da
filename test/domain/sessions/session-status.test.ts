import { describe, expect, it } from 'vitest';
import { sessionView } from '../../../functions/contract/sessions/session-view.ts';
import { sessionStatusBody } from '../../../functions/contract/sessions/session.ts';
import { sessionStatus } from '../../../functions/domain/sessions/session-status.ts';
import { patientView } from '../../../functions/domain/sessions/session-view.ts';
import { aPractice, aSession } from '../../support/examples.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');

describe('the block of a session', () => {
  it('is said only while the session is open', () => {
    const block = 'invoice_already_paid';
    expect(sessionStatus(aSession(), block, now).blockedBy).toBe(block);
    expect(sessionStatus(aSession({ status: 'processing' }), block, now).blockedBy).toBeUndefined();
  });
});

describe('what leaves the service', () => {
  it('is exactly the fields of the status body, without help from its schema', () => {
    expect(Object.keys(sessionStatus(aSession(), undefined, now)).sort()).toEqual(
      Object.keys(sessionStatusBody.shape).sort(),
    );
  });

  it('is exactly the fields of the patient view, without help from its schema', () => {
    const viewing = { mode: 'sandbox', locale: 'en', now, blockedBy: undefined, evidence: undefined } as const;
    const practice = aPractice({
      logoUrl: 'https://pay.example.com/logos/1.png',
      supportEmail: 'billing@lakeside.example',
      postalAddress: '12 Shore Road',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
    });
    const view = patientView(aSession(), practice, viewing);
    expect(Object.keys(view).sort()).toEqual(Object.keys(sessionView.shape).sort());
    expect(Object.keys(view.practice).sort()).toEqual(Object.keys(sessionView.shape.practice.shape).sort());
  });
});
