#!/bin/sh
# A small Slurm on this machine, for tests: munge, slurmctld and several slurmd, without systemd and without files in
# /etc. Everything listens on the loopback address and lives in one folder.
#
#   slurm.sh start DIR [NODES]       writes DIR/slurm.conf and starts everything
#   slurm.sh stop DIR
#   slurm.sh kill-node DIR K         as a power cut: the node's daemon and everything that it runs
#   slurm.sh start-node DIR K
#   slurm.sh kill-controller DIR; slurm.sh start-controller DIR
#
# Programs that use it need SLURM_CONF=DIR/slurm.conf. FARM_PORT is the first of the ports (17001).
set -eu
command=$1
dir=$(cd "$2" && pwd)
export SLURM_CONF="$dir/slurm.conf"
port=${FARM_PORT:-17001}

write_conf() {
    user=$(id -un)
    cat > "$SLURM_CONF" <<CONF
ClusterName=farm
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmdLogFile=$dir/slurmd.%n.log
SlurmdSpoolDir=$dir/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=2,sched_min_interval=10000,default_queue_depth=1000
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=30
JobRequeue=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
CONF
    k=1
    while [ "$k" -le "$1" ]; do
        echo "NodeName=node$k NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + k)) CPUs=1 RealMemory=2000" \
            >> "$SLURM_CONF"
        k=$((k + 1))
    done
    echo "PartitionName=test Nodes=node[1-$1] Default=YES MaxTime=INFINITE State=UP" >> "$SLURM_CONF"
}

start_munge() {
    mkdir -p "$dir/munge"
    chmod 711 "$dir/munge"
    head -c 1024 /dev/urandom > "$dir/munge/key"
    chmod 600 "$dir/munge/key"
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --num-threads=2
}

# A process and all its descendants, the leaves last.
tree() {
    echo "$1"
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do tree "$child"; done
}

pid_in() { cat "$1" 2>/dev/null || true; }

# Jobs know their node from the environment; the slurmstepd of one is its parent.
kill_node() {
    victims=$(pid_in "$dir/slurmd.node$1.pid")
    for file in $(grep -slxz "SLURMD_NODENAME=node$1" /proc/[0-9]*/environ); do
        grep -sqxz "SLURM_CONF=$SLURM_CONF" "$file" || continue
        pid=$(basename "$(dirname "$file")")
        parent=$(ps -o ppid= -p "$pid" | tr -d ' ')
        victims="$victims $pid"
        case $(ps -o args= -p "$parent") in slurmstepd*) victims="$parent $victims" ;; esac
    done
    # shellcheck disable=SC2086
    [ -n "$victims" ] || return 0
    kill -STOP $victims 2> /dev/null || true  # nobody reports the end of another
    kill -KILL $victims 2> /dev/null || true
}

wait_for() {  # command, seconds
    left=$2
    until sh -c "$1" > /dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { echo "slurm.sh: '$1' did not succeed in $2 s" >&2; exit 1; }
        sleep 1
    done
}

case $command in
start)
    mkdir -p "$dir/state"
    write_conf "${3:-2}"
    start_munge
    slurmctld -c
    k=1
    while [ "$k" -le "${3:-2}" ]; do slurmd -N "node$k"; k=$((k + 1)); done
    wait_for "[ \$(sinfo --noheader --Node --states=idle --format=%N | wc -l) = ${3:-2} ]" 60
    ;;
stop)
    for file in "$dir"/slurmd.node*.pid; do
        node=${file##*/slurmd.node}
        kill_node "${node%.pid}"
    done
    for file in "$dir/slurmctld.pid" "$dir/munge/pid"; do
        pid=$(pid_in "$file")
        [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
    done
    ;;
kill-node) kill_node "$3" ;;
start-node) slurmd -N "node$3" ;;
kill-controller)
    pid=$(pid_in "$dir/slurmctld.pid")
    # shellcheck disable=SC2046
    kill -KILL $(tree "$pid")
    ;;
start-controller) slurmctld ;;
*) echo "slurm.sh: unknown command '$command'" >&2; exit 2 ;;
esac
