import { isIP } from 'node:net';
import type { HttpRequest } from './request.ts';

/** The viewer's address as the distribution reports it. Use it only behind `requireDistribution`: others can forge it. */
export function viewerAddressOf(headers: HttpRequest['headers']): string | undefined {
  const viewer = headers['x-viewer-address'] ?? '';
  return isIP(viewer) === 0 ? undefined : viewer;
}
