import { useLocation } from 'preact-iso/router';
import { formatCount } from '../format.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Notice } from './notice.tsx';

/** On every screen but home, which shows what needs attention in full. */
export function AlertBanner() {
  const { practiceId } = usePractice();
  const { path } = useLocation();
  return path === `/${practiceId}` ? null : <Banner />;
}

function Banner() {
  const { practiceId } = usePractice();
  const { loaded, reload } = useAnswer('getAlerts', { params: { practiceId } });
  useEvery(60, true, reload);
  if (loaded.state !== 'ready') return null;
  const { endpoints, returned } = loaded.value;
  const disabled = endpoints.filter(({ status }) => status === 'disabled').length;
  const failing = endpoints.length - disabled;
  const words = [
    failing > 0 && formatCount(failing, 'webhook endpoint fails', 'webhook endpoints fail'),
    disabled > 0 && formatCount(disabled, 'webhook endpoint was turned off', 'webhook endpoints were turned off'),
    returned.length > 0 && formatCount(returned.length, 'payment was returned', 'payments were returned'),
  ].filter((each) => each !== false);
  if (words.length === 0) return null;
  return (
    <div class="banner">
      <Notice kind="warning">
        <p>
          {`${words.join(', ')}. `}
          <a href={`/${practiceId}`}>See what to do</a>
        </p>
      </Notice>
    </div>
  );
}
