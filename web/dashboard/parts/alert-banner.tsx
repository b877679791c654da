import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { Notice } from './notice.tsx';

/** What needs a person, on every screen but home, which shows it in full. */
export function AlertBanner() {
  const { practiceId } = usePractice();
  const { path } = useLocation();
  const { loaded, reload } = useAnswer('getAlerts', { params: { practiceId } });
  useEffect(() => void reload(), [path]);
  if (loaded.state !== 'ready' || path === `/${practiceId}`) return null;
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
          <a href={`/${practiceId}#attention`}>See what to do</a>
        </p>
      </Notice>
    </div>
  );
}
