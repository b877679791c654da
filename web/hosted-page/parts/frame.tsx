import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import {
  bankPickerTexts,
  otherLanguage,
  otherLanguageName,
  texts,
  language,
  nameSize,
  practiceName,
} from '../language.ts';
import { Contact } from './contact.tsx';
import { SpokenTimeWarning } from './time-left.tsx';

interface FrameProps {
  readonly session: SessionView | undefined;
  readonly offline: boolean;
  /** The view itself shows the contact. */
  readonly hasContact?: boolean;
  readonly children: ComponentChildren;
}

export function Frame({ session, offline, hasContact, children }: FrameProps) {
  const asks = session !== undefined && isRequest(session);
  return (
    <>
      {/* Placed outside of the header, which would scroll it away. */}
      <p role="status" class="offline">
        {offline && texts.offline}
      </p>
      <header>
        {(session?.sandbox ?? builtForMode === 'sandbox') && <p class="sandbox">{texts.sandbox}</p>}
        <div class="masthead">
          {session ? (
            <PracticeName key={session.practice.logoUrl} session={session} />
          ) : (
            <p class="practice">{texts.service}</p>
          )}
          <LanguageSwitch />
        </div>
        {asks && <SpokenTimeWarning session={session} />}
      </header>
      <main class="card">
        {children}
        {session && !asks && <ReturnLink session={session} />}
      </main>
      {(session || !hasContact) && (
        <footer>
          {!hasContact && <FooterContact session={session} asks={asks} />}
          {builtForMode === 'live' && asks && <PickerProvider />}
          {session && <Imprint session={session} />}
        </footer>
      )}
    </>
  );
}

function FooterContact({ session, asks }: { session: SessionView | undefined; asks: boolean }) {
  const mayLackBank = asks && !session?.bankAccount;
  return (
    <p>
      <strong>{mayLackBank ? texts.contact.noOnlineBanking : texts.contact.questions}</strong>{' '}
      <Contact practice={session?.practice} purpose={mayLackBank ? texts.contact.otherWays : ''} />
    </p>
  );
}

function isRequest({ status, blockedBy, bankConnectionAttemptsRemaining, bankAccount }: SessionView): boolean {
  return (
    status === 'pending' &&
    blockedBy === undefined &&
    (bankConnectionAttemptsRemaining > 0 || bankAccount !== undefined)
  );
}

function PracticeName({ session: { practice, receipt } }: { session: SessionView }) {
  const { name } = receipt?.practice ?? practice;
  const { logoUrl } = practice;
  const [logo, setLogo] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const hasPicture = logoUrl !== undefined && logo !== 'failed';
  return (
    <p class={logoUrl === undefined ? 'practice' : 'practice with-logo'}>
      {hasPicture ? (
        <img
          class={`logo ${logo}`}
          src={logoUrl}
          alt=""
          onLoad={() => setLogo('loaded')}
          onError={() => setLogo('failed')}
        />
      ) : (
        <span class="monogram" aria-hidden="true">
          {[...name][0]}
        </span>
      )}
      <span class={`name ${nameSize(name, 40)}`}>
        <bdi>{name}</bdi>
      </span>
    </p>
  );
}

function LanguageSwitch() {
  return (
    <a class="language" href={`?lang=${otherLanguage}${location.hash}`} lang={otherLanguage} hreflang={otherLanguage}>
      {otherLanguageName}
    </a>
  );
}

function PickerProvider() {
  return (
    <p class="imprint">
      <OtherSite url="https://stripe.com/legal/end-users">{bankPickerTexts.terms}</OtherSite>
      <OtherSite url="https://stripe.com/privacy">{bankPickerTexts.privacy}</OtherSite>
    </p>
  );
}

/** Sends no referrer, because this page's URL has the token. */
function ReturnLink({ session }: { session: SessionView }) {
  if (session.returnUrl === undefined) return null;
  return (
    <a class="plain" href={session.returnUrl} rel="noreferrer">
      {texts.returnTo(practiceName(session))}
    </a>
  );
}

declare const operatorName: string;
declare const operatorAddress: string;

/** Who runs the page, and links to the legal pages: the practice's own if it has them. */
function Imprint({ session }: { session: SessionView }) {
  const { privacyUrl, termsUrl } = session.practice;
  const ofPractice: Readonly<Record<string, string | undefined>> = { privacy: privacyUrl, terms: termsUrl };
  return (
    <p class="imprint">
      {texts.operator(operatorName, practiceName(session))} {operatorAddress}
      <br />
      {Object.entries(texts.legal).map(([page, words]) => {
        const own = ofPractice[page];
        return (
          <OtherSite key={page} url={own ?? `/${page}?lang=${language}`}>
            {own ? texts.ofPractice(words) : words}
          </OtherSite>
        );
      })}
    </p>
  );
}

/** Opens in a new tab, so that this one keeps its step. */
function OtherSite({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
