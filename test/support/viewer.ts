import { buildViewerFunctions, type ViewerFunctions } from '../../lib/build/build.ts';
import { viewerFunction } from '../../lib/local/viewer-function.ts';

export async function builtViewerFunction(name: keyof ViewerFunctions) {
  const { [name]: FunctionCode } = await buildViewerFunctions();
  const FunctionConfig = { Runtime: 'cloudfront-js-2.0' } as const;
  return viewerFunction({ logicalId: name, name, properties: { Name: name, FunctionCode, FunctionConfig } });
}
