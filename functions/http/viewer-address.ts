import { isIP } from 'node:net';
import type { HttpRequest } from './request.ts';

/** As the distribution names the viewer: only for routes that answer nobody else. */
export function viewerAddressOf(headers: HttpRequest['headers']): string | undefined {
  const viewer = headers['x-viewer-address'] ?? '';
  return isIP(viewer) === 0 ? undefined : viewer;
}
