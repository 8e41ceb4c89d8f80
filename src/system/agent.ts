/** Detects the agent that runs this process. */

/** Returns the agent if there is one. The package knows the variables that agents set. It is loaded only for this. */
export async function detectedAgent() {
  const { determineAgent } = await import('@vercel/detect-agent');
  const { agent } = await determineAgent();
  return agent && { name: agent.name, isAsked: false };
}
