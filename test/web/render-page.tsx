import { renderToString } from 'preact-render-to-string';
import { Frame } from '../../web/hosted-page/parts/frame.tsx';
import type { SessionPage } from '../../web/hosted-page/page-state.ts';
import { hasContact, viewOf, type ViewProps } from '../../web/hosted-page/view-of.ts';

const none = () => Promise.resolve();
const actions: ViewProps['actions'] = {
  connectBank: none,
  namePayer: async () => true,
  authorizePayment: none,
  askForMoreTime: none,
  askForNewLink: none,
  reload: none,
  startBankStep: none,
  goToBankStep: none,
  leaveBankStep: none,
};

/** Composes a page like main.tsx, without a browser. */
export function renderPage(page: SessionPage): string {
  const View = viewOf(page);
  return renderToString(
    <Frame session={page.session} offline={false} hasContact={hasContact(View)}>
      <View page={page} actions={actions} />
    </Frame>,
  );
}
