import { useEffect } from 'preact/hooks';
import { Notice } from '../../parts/notice.tsx';
import { allows, usePractice, type Practice } from '../../practice.ts';

type LinkStep = Practice['settings']['missingForLinks'][number];

const words: Readonly<Record<LinkStep, string>> = {
  terms: 'Accept the terms',
  deposit: 'Set up where payments are deposited',
  contact: 'Tell patients how to reach you',
  branding: 'Choose your logo or color',
};

/** What to do before the first live payment link, instead of a form that would be refused. */
export function NotReady() {
  const { practiceId, role, settings, reloadSettings } = usePractice();
  // The steps are done on another screen, at Stripe or by a colleague.
  useEffect(() => void reloadSettings(), []);
  return (
    <Notice kind="info" title="Before the first payment link">
      <p>{allows(role, 'admin') ? 'These steps are left:' : 'An admin of your practice has these steps left to do:'}</p>
      <ul>
        {settings.missingForLinks.map((step) => (
          <li key={step}>
            {allows(role, 'admin') ? <a href={`/${practiceId}/settings/practice`}>{words[step]}</a> : words[step]}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
