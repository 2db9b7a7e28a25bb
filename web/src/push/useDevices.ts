import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../api/apiError";
import {
  deviceOf,
  inTurn,
  isDenied,
  isInsecure,
  isSupported,
  subscribe,
  subscriptionHere,
  unsubscribe,
} from "./browser";
import {
  AddNoticeDeviceDocument,
  NoticeDevicesDocument,
  type NoticeDevicesQuery,
  RemoveNoticeDeviceDocument,
  TestNoticeDeviceDocument,
} from "./Devices.generated";

export type Device = NoticeDevicesQuery["noticeDevices"]["devices"][number];

/** Whether pushes are on in this browser, or why they cannot be. */
export type HereState = "loading" | "offByServer" | "insecure" | "unsupported" | "denied" | "off" | "on";

/** The devices of the user that receive pushes, and what turns them on and off. */
export function useDevices() {
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(NoticeDevicesDocument, { fetchPolicy: "cache-and-network" });
  // Undefined until the browser has answered.
  const [endpoint, setEndpoint] = useState<string | null>();
  const [isRefused, setRefused] = useState(isDenied);
  useEffect(() => {
    subscriptionHere().then(
      (subscription) => setEndpoint(subscription?.endpoint ?? null),
      () => setEndpoint(null),
    );
  }, []);
  const found = data?.noticeDevices;
  const here = found?.devices.find((device) => device.endpoint === endpoint);

  const publicKey = found?.publicKey;
  const turnOn = useCallback(async () => {
    if (!publicKey) return;
    const added = await inTurn(() => add(client, publicKey));
    setRefused(isDenied());
    if (!added) return;
    setEndpoint(added);
    await refetch();
  }, [client, publicKey, refetch]);

  const remove = useCallback(
    async (device: Device) => {
      try {
        await client.mutate({
          mutation: RemoveNoticeDeviceDocument,
          variables: { input: { deviceId: device.id } },
        });
      } catch (failure) {
        // It was removed elsewhere.
        if (ApiError.from(failure).status !== 404) throw failure;
      }
      if (device.endpoint === endpoint) {
        await inTurn(unsubscribe);
        setEndpoint(null);
      }
      await refetch();
    },
    [client, endpoint, refetch],
  );

  const test = useCallback(
    (device: Device) =>
      client.mutate({ mutation: TestNoticeDeviceDocument, variables: { input: { deviceId: device.id } } }),
    [client],
  );

  return {
    state: stateOf(found?.publicKey, endpoint, here !== undefined, isRefused),
    here,
    others: found?.devices.filter((device) => device !== here) ?? [],
    hasDevices: (found?.devices.length ?? 0) > 0,
    error: found ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
    turnOn,
    remove,
    test,
  };
}

/** Subscribes this browser and adds it to the devices of the user. Returns its endpoint; null if the user refuses. */
async function add(client: ApolloClient, publicKey: string): Promise<string | null> {
  const subscription = await subscribe(publicKey);
  if (!subscription) return null;
  try {
    await client.mutate({
      mutation: AddNoticeDeviceDocument,
      variables: { input: deviceOf(subscription) },
    });
  } catch (failure) {
    await subscription.unsubscribe().catch(() => false);
    throw failure;
  }
  return subscription.endpoint;
}

function stateOf(
  publicKey: string | null | undefined,
  endpoint: string | null | undefined,
  isHere: boolean,
  isRefused: boolean,
): HereState {
  if (publicKey === undefined || endpoint === undefined) return "loading";
  if (publicKey === null) return "offByServer";
  if (isInsecure()) return "insecure";
  if (!isSupported()) return "unsupported";
  if (isRefused) return "denied";
  return isHere ? "on" : "off";
}
