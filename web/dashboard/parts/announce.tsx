import { useEffect, useState } from 'preact/hooks';

interface Message {
  readonly text: string;
  readonly count: number;
}

let show: (text: string) => void = () => undefined;

/** Says what just happened, in a corner of the screen and to screen readers. */
export function announce(text: string): void {
  show(text);
}

/** Mount it once. */
export function Announcements() {
  const [message, setMessage] = useState<Message>();
  useEffect(() => {
    show = (text) => setMessage((last) => ({ text, count: (last?.count ?? 0) + 1 }));
  }, []);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => setMessage(undefined), 6000);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="announcements" role="status">
      {message && (
        <p key={message.count} class="announcement">
          {message.text}
        </p>
      )}
    </div>
  );
}
