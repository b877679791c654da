import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Shown on every screen but home, which lists what needs attention in full. */
export function AlertBanner() {
  const { practiceId } = usePractice();
  const { path } = useLocation();
  return path === `/${practiceId}` ? null : <Banner />;
}

/** Shown until dismissed in this browser. A new alert shows it again. */
function Banner() {
  const { practiceId } = usePractice();
  const { loaded, reload } = useAnswer('getAlerts', { params: { practiceId } });
  const dismissed = `dismissed alerts ${practiceId}`;
  const [seen, setSeen] = useState(() => localStorage.getItem(dismissed)?.split(' ') ?? []);
  useEvery(60, true, reload);
  if (loaded.state !== 'ready') return null;
  const { endpoints, returned } = loaded.value;
  const ids = [
    ...endpoints.map(({ endpointId, status }) => `${endpointId}:${status}`),
    ...returned.map(({ sessionId }) => sessionId),
  ];
  if (ids.every((id) => seen.includes(id))) return null;
  const disabled = endpoints.filter(({ status }) => status === 'disabled').length;
  const failing = endpoints.length - disabled;
  const words = [
    failing > 0 && formatCount(failing, 'webhook endpoint is failing', 'webhook endpoints are failing'),
    disabled > 0 && formatCount(disabled, 'webhook endpoint was turned off', 'webhook endpoints were turned off'),
    returned.length > 0 && formatCount(returned.length, 'payment was returned', 'payments were returned'),
  ].filter((each) => each !== false);
  function dismiss() {
    localStorage.setItem(dismissed, ids.join(' '));
    setSeen(ids);
  }
  return (
    <div class="banner">
      <Notice kind="warning">
        <div class="banner-row">
          <p>
            {`${words.join(', ')}. `}
            <a href={`/${practiceId}`}>See what to do</a>
          </p>
          <Button kind="plain" onClick={dismiss}>
            Dismiss
          </Button>
        </div>
      </Notice>
    </div>
  );
}
