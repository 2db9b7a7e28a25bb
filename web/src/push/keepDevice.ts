import type { ApolloClient } from "@apollo/client";
import { isGuest, token } from "../api/session";
import { deviceOf, hasKey, inTurn, subscribe, subscriptionHere, unsubscribe } from "./browser";
import {
  AddNoticeDeviceDocument,
  NoticeDevicesDocument,
  RemoveNoticeDeviceDocument,
} from "./Devices.generated";

let keptFor = "";

/**
 * Once per session and start of the app: renews the device of a browser with pushes, so that it belongs to the present session and has the present key of
 * the server. Ends the subscription if the device was removed, or belongs to somebody else who used the browser. Browsers without pushes send
 * nothing, and guests have none. A failure is repaired at the next start.
 */
export async function keepDevice(client: ApolloClient): Promise<void> {
  if (keptFor === token() || isGuest()) return;
  keptFor = token();
  await inTurn(() => renew(client));
}

async function renew(client: ApolloClient): Promise<void> {
  const subscription = await subscriptionHere();
  if (!subscription) return;
  const { data } = await client.query({ query: NoticeDevicesDocument, fetchPolicy: "no-cache" });
  // A server whose pushes are off may turn them on again.
  if (!data?.noticeDevices.publicKey) return;
  const { publicKey, devices } = data.noticeDevices;
  const device = devices.find(({ endpoint }) => endpoint === subscription.endpoint);
  if (!device) return unsubscribe();
  const present = hasKey(subscription, publicKey) ? subscription : await subscribe(publicKey);
  if (!present) return;
  await client.mutate({ mutation: AddNoticeDeviceDocument, variables: { input: deviceOf(present) } });
  // With the former key of the server nothing arrives any more.
  if (present.endpoint !== device.endpoint)
    await client.mutate({
      mutation: RemoveNoticeDeviceDocument,
      variables: { input: { deviceId: device.id } },
    });
}
