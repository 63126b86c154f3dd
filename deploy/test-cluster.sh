#!/usr/bin/env bash
# Runs the databases of deploy/cluster without containers: PostgreSQL with Patroni, etcd and HAProxy of Debian 13
# from a directory, with the configuration files of deploy/cluster. Each service of compose.yaml is a network
# namespace with an address of its own, so hosts can be killed and separated. Needs root on Debian.
#   test-cluster.sh up FOLDER             installs and starts the databases; KOMA_HOSTS names further hosts
#   test-cluster.sh start|kill FOLDER HOST
#   test-cluster.sh run FOLDER HOST COMMAND...      as on that host, with this file system
#   test-cluster.sh inside FOLDER HOST COMMAND...   as user postgres in the directory with Debian 13
#   test-cluster.sh cut|join FOLDER HOST HOST...    drops all packets between the first host and others; delivers them again
#   test-cluster.sh down FOLDER
set -euo pipefail
config=$(cd "$(dirname "$0")/cluster" && pwd)
action=$1 folder=$2 system=$2/debian
shift 2
lan=koma-lan
nodes=(1 2 3)
read -ra hosts <<<"etcd-1 etcd-2 etcd-3 postgres-1 postgres-2 postgres-3 haproxy ${KOMA_HOSTS-}"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin${PATH:+:$PATH}

install_debian() {
  [ ! -e "$folder/installed" ] || return 0
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' |
    grep -E '/debian/?$' | head -n 1)
  debootstrap --variant=minbase \
    --include=postgresql-17,postgresql-17-pgvector,patroni,python3-etcd,etcd-server,haproxy \
    trixie "$system" "$mirror" >"$folder/debootstrap-log"
  touch "$folder/installed"
}

address_of() { awk -v name="$1" '$2 == name { print $1 }' "$folder/hosts"; }

add_hosts() {
  ip netns add $lan
  ip -n $lan link add bridge type bridge
  ip -n $lan link set bridge up
  echo "127.0.0.1 localhost" >"$folder/hosts"
  local host number=10
  for host in "${hosts[@]}"; do
    echo "10.88.0.$((++number)) $host" >>"$folder/hosts"
    ip netns add "$host"
    ip -n "$host" link add eth0 type veth peer name "$host" netns $lan
    ip -n $lan link set "$host" master bridge up
    ip -n "$host" address add "10.88.0.$number/24" dev eth0
    ip -n "$host" link set eth0 up
    ip -n "$host" link set lo up
    mkdir -p "/etc/netns/$host"
    ln -sf "$folder/hosts" "/etc/netns/$host/hosts"
    echo "nameserver 127.0.0.1" >"/etc/netns/$host/resolv.conf"
  done
}

# on_debian HOST USER COMMAND...: in namespaces of its own, so that the end of the first process ends all.
on_debian() {
  local host=$1 user=$2
  shift 2
  mkdir -p "$folder/data/$host"
  ip netns exec "$host" unshare --mount --pid --fork --kill-child -- bash -euc '
    system=$1 config=$2 data=$3 hosts=$4 user=$5; shift 5
    mkdir -p "$system/data" "$system/etc/patroni"; touch "$system/etc/hosts" "$system/etc/resolv.conf"
    mount --bind "$data" "$system/data"; chroot "$system" chown "$user:" /data; chmod 700 "$system/data"
    mount -t tmpfs tmpfs "$system/tmp" -o mode=1777
    mount -t proc proc "$system/proc"
    mkdir -p "$system/dev/shm"; mount -t tmpfs tmpfs "$system/dev/shm" -o mode=1777
    mount --bind "$config" "$system/etc/patroni"
    mount --bind "$hosts" "$system/etc/hosts"; mount --bind /etc/resolv.conf "$system/etc/resolv.conf"
    exec chroot "$system" setpriv --reuid="$user" --regid="$user" --init-groups "$@"
  ' "$host" "$system" "$config" "$folder/data/$host" "$folder/hosts" "$user" "$@"
}

start() {
  local host=$1 number=${1##*-} join=,
  case $host in
    etcd-*)
      on_debian "$host" etcd env -i ETCD_NAME="$host" ETCD_DATA_DIR=/data/etcd ETCD_LISTEN_CLIENT_URLS=http://0.0.0.0:2379 \
        ETCD_LISTEN_PEER_URLS=http://0.0.0.0:2380 ETCD_ADVERTISE_CLIENT_URLS="http://$host:2379" \
        ETCD_INITIAL_ADVERTISE_PEER_URLS="http://$host:2380" ETCD_INITIAL_CLUSTER_TOKEN=koma \
        ETCD_INITIAL_CLUSTER="$(printf 'etcd-%s=http://etcd-%s:2380,' 1 1 2 2 3 3 | sed "s/$join\$//")" /usr/bin/etcd
      ;;
    postgres-*)
      on_debian "$host" postgres env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PATRONI_NAME="$host" \
        PATRONI_RESTAPI_CONNECT_ADDRESS="$host:8008" PATRONI_POSTGRESQL_CONNECT_ADDRESS="$host:5432" \
        PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD=test \
        PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD=test KOMA_DATABASE_PASSWORD=test \
        patroni /etc/patroni/patroni.yml
      ;;
    haproxy)
      ip netns exec haproxy dnsmasq --no-daemon --no-resolv --no-hosts --addn-hosts="$folder/hosts" \
        --listen-address=127.0.0.1 --bind-interfaces --pid-file= &
      on_debian haproxy haproxy haproxy -W -f /etc/patroni/haproxy.cfg
      ;;
  esac >>"$folder/$host.log" 2>&1 </dev/null &
}

kill_host() {
  local pids
  pids=$(ip netns pids "$1")
  # A killed parent ends others of the list, of which kill would report an error.
  # shellcheck disable=SC2086
  [ -z "$pids" ] || kill -KILL $pids 2>/dev/null || true
}

# Packages to a wrong hardware address arrive nowhere, and the sender notices nothing.
separate() {
  local from to
  for from in "$1 $2" "$2 $1"; do
    read -r from to <<<"$from"
    if [ "$3" = cut ]; then
      ip -n "$from" neighbour replace "$(address_of "$to")" lladdr 02:00:00:00:00:01 nud permanent dev eth0
    else
      ip -n "$from" neighbour del "$(address_of "$to")" dev eth0
    fi
  done
}

case $action in
  up)
    mkdir -p "$folder"
    install_debian
    add_hosts
    for host in "${hosts[@]}"; do start "$host"; done
    ;;
  start) start "$1" ;;
  kill) kill_host "$1" ;;
  run) exec ip netns exec "$@" ;;
  inside)
    host=$1
    shift
    on_debian "$host" postgres "$@"
    ;;
  cut | join) for other in "${@:2}"; do separate "$1" "$other" "$action"; done ;;
  down)
    mapfile -t hosts < <(awk 'NR > 1 { print $2 }' "$folder/hosts")
    for host in "${hosts[@]}"; do
      kill_host "$host"
      ip netns del "$host"
      rm -rf "/etc/netns/$host"
    done
    ip netns del $lan
    rm -rf "$folder/data"
    ;;
esac
