/** Detects the agent that runs this process. It is a separate file, because the package is only loaded for this. */
import { determineAgent } from '@vercel/detect-agent';

/** Returns the agent if there is one. The package knows the variables that agents set. */
export async function detectedAgent() {
  const { agent } = await determineAgent();
  return agent && { name: agent.name, isAsked: false };
}
